/**
 * The secret that signs a user's webhooks, and its replacement. For some hours both secrets sign, so that receivers can
 * change over without losing a delivery. A secret is shown in full once, when it is created. docs/decisions/webhook-secrets.md
 */
import { isoMicroseconds, type NewWebhookSecret, type WebhookSecret } from '@parley/contracts';
import { LockMode, statement, User, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { makeWebhookSecret } from '../shared/random-secret.ts';
import type { Identity } from '../users/identity.ts';
import { validSecrets, type SealedSecrets } from './sign-webhook.ts';

/** Enough to recognise a secret, and far too little to sign with. */
const SHOWN_CHARACTERS = 12;
const HOUR_MS = 3_600_000;

const selectSecrets = statement<SealedSecrets>(
  'find_webhook_secrets',
  `select webhook_secret_sealed, webhook_secret_old_sealed, webhook_secret_old_until from users where id = $1`,
);

/**
 * SQL, because a call waits for it in a voice process: the ORM's start takes 0.1 s of processor time, during which no audio
 * is sent.
 *
 * @throws DomainError `not-found`
 */
export async function loadWebhookSecrets(tx: Tx, userId: number): Promise<SealedSecrets> {
  const [sealed] = await tx.query(selectSecrets, [userId]);
  if (!sealed) throw new DomainError('not-found', 'User not found');
  return sealed;
}

/** The part of the user's secret that may be shown. */
export async function findWebhookSecret(ctx: CoreContext, identity: Identity): Promise<WebhookSecret> {
  return describeSecret(ctx, await loadWebhookSecrets(ctx.db, identity.userId));
}

/**
 * Creates a new secret. The previous one stays valid for the given hours; an older one expires at once.
 *
 * @param keepOldForHours - 0: the previous secret expires at once
 */
export async function rotateWebhookSecret(
  ctx: CoreContext,
  identity: Identity,
  keepOldForHours: number,
): Promise<NewWebhookSecret> {
  const secret = makeWebhookSecret();
  const oldUntil = keepOldForHours > 0 ? new Date(ctx.clock.now() + keepOldForHours * HOUR_MS) : null;
  const sealed = await ctx.db.transaction(async ({ em }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const user = await em.findOne(User, { id: identity.userId }, lock);
    if (!user) throw new DomainError('not-found', 'User not found');
    user.webhookSecretOldSealed = oldUntil && user.webhookSecretSealed;
    user.webhookSecretOldUntil = oldUntil;
    user.webhookSecretSealed = ctx.secretBox.seal(secret);
    return user;
  });
  ctx.log.info({ userId: identity.userId, keepOldForHours }, 'A webhook secret was replaced');
  return { ...describeSecret(ctx, sealed), secret };
}

/** The part of a secret that may be shown. */
export function describeSecret(ctx: CoreContext, sealed: SealedSecrets): WebhookSecret {
  const [current = '', old] = validSecrets(ctx.secretBox, sealed, now(ctx));
  const until = old === undefined ? null : sealed.webhookSecretOldUntil;
  return {
    prefix: current.slice(0, SHOWN_CHARACTERS),
    old_prefix: old?.slice(0, SHOWN_CHARACTERS) ?? null,
    old_valid_until: until && isoMicroseconds(until),
  };
}
