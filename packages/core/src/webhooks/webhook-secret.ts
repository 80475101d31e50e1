/**
 * The secret that signs a user's webhooks, and its replacement: for some hours the old one signs too, so that receivers
 * can change over without losing anything. Shown in full once, when it is made. docs/decisions/webhook-secrets.md
 */
import { isoMicroseconds, type NewWebhookSecret, type WebhookSecret } from '@parley/contracts';
import { statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { makeWebhookSecret } from '../shared/random-secret.ts';
import type { Identity } from '../users/identity.ts';
import { validSecrets, type SealedSecrets } from './sign-webhook.ts';

/** Enough to tell two secrets apart, and far too little to sign with. */
const SHOWN_CHARACTERS = 12;
const HOUR_MS = 3_600_000;

const SECRETS = 'webhook_secret_sealed, webhook_secret_old_sealed, webhook_secret_old_until';

const selectSecrets = statement<SealedSecrets>(
  'find_webhook_secrets',
  `select ${SECRETS} from users where id = $1`,
);
const replaceSecret = statement<SealedSecrets>(
  'replace_webhook_secret',
  `update users set webhook_secret_sealed = $2,
     webhook_secret_old_sealed = case when $3::timestamptz is not null then webhook_secret_sealed end,
     webhook_secret_old_until = $3
   where id = $1 returning ${SECRETS}`,
);

/** @throws DomainError `not-found` */
export async function loadWebhookSecrets(tx: Tx, userId: number): Promise<SealedSecrets> {
  const [sealed] = await tx.query(selectSecrets, [userId]);
  if (!sealed) throw new DomainError('not-found', 'User not found');
  return sealed;
}

/** What a user may see of their secret. */
export async function findWebhookSecret(ctx: CoreContext, identity: Identity): Promise<WebhookSecret> {
  return describe(ctx, await loadWebhookSecrets(ctx.db, identity.userId));
}

/**
 * Makes a new secret. The one before stays valid for the given hours; one that was still valid beside it ends at once.
 *
 * @param keepOldForHours - 0: it ends at once
 */
export async function rotateWebhookSecret(
  ctx: CoreContext,
  identity: Identity,
  keepOldForHours: number,
): Promise<NewWebhookSecret> {
  const secret = makeWebhookSecret();
  const oldUntil = keepOldForHours > 0 ? new Date(ctx.clock.now() + keepOldForHours * HOUR_MS) : null;
  const values = [identity.userId, ctx.secretBox.seal(secret), oldUntil];
  const [sealed] = await ctx.db.query(replaceSecret, values);
  if (!sealed) throw new DomainError('not-found', 'User not found');
  ctx.log.info({ userId: identity.userId, keepOldForHours }, 'A webhook secret was replaced');
  return { ...describe(ctx, sealed), secret };
}

function describe(ctx: CoreContext, sealed: SealedSecrets): WebhookSecret {
  const [current = '', old] = validSecrets(ctx.secretBox, sealed, now(ctx));
  const until = old === undefined ? null : sealed.webhookSecretOldUntil;
  return {
    prefix: current.slice(0, SHOWN_CHARACTERS),
    old_prefix: old?.slice(0, SHOWN_CHARACTERS) ?? null,
    old_valid_until: until && isoMicroseconds(until),
  };
}
