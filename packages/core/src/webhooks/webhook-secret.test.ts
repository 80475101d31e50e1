import { useTestDatabase } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { statement } from '@parley/db';
import { claimDelivery } from '../../test/arrange.ts';
import { arrangeWebhooks } from '../../test/arrange-webhooks.ts';
import { revealWebhookSecret } from '../users/find-user.ts';
import type { DueDelivery } from './claim-deliveries.ts';
import { findWebhookSecret, loadWebhookSecrets, rotateWebhookSecret } from './webhook-secret.ts';

const database = useTestDatabase();
const HOUR_MS = 3_600_000;

async function setup() {
  const about = await arrangeWebhooks(database.db);
  const { ctx, identity, announce } = about;
  return {
    ...about,
    reveal: () => revealWebhookSecret(ctx, identity.userId),
    rotate: async (hours: number) => {
      const { secret } = await rotateWebhookSecret(ctx, identity, hours);
      return secret ?? '';
    },
    find: () => findWebhookSecret(ctx, identity),
    send: async () => (await claimDelivery(ctx, await announce())) as DueDelivery,
  };
}

/** Verifies as a receiver whose clock is the test's, because the library uses the machine's clock. */
function isAccepted(secret: string, { headers, body, id }: DueDelivery): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = new Webhook(secret).sign(id, at, body);
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
}

describe('replacing the secret', () => {
  it('signs with both while both are valid, and with the new one from then on', async () => {
    const { clock, reveal, rotate, send } = await setup();
    const old = await reveal();
    const fresh = await rotate(24);
    expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(await reveal()).toBe(fresh);
    clock.advance(24 * HOUR_MS - 1);
    const both = await send();
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect([isAccepted(fresh, both), isAccepted(old, both)]).toEqual([true, true]);
    clock.advance(1);
    const one = await send();
    expect([isAccepted(fresh, one), isAccepted(old, one)]).toEqual([true, false]);
    expect(one.headers['webhook-signature']).toMatch(/^v1,\S{44}$/);
  });

  it('may end the old one at once', async () => {
    const { ctx, identity, reveal, rotate, send, find } = await setup();
    const old = await reveal();
    await rotate(0);
    expect(isAccepted(old, await send())).toBe(false);
    expect(await find()).toMatchObject({ old_prefix: null, old_valid_until: null });
    expect(await loadWebhookSecrets(ctx.db, identity.userId)).toMatchObject({
      webhookSecretOldSealed: null,
      webhookSecretOldUntil: null,
    });
  });

  it('needs a user that exists', async () => {
    const { ctx, identity } = await setup();
    const removed = { ...identity, userId: identity.userId + 1_000_000 };
    await expect(findWebhookSecret(ctx, removed)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(rotateWebhookSecret(ctx, removed, 24)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('twice leaves the two newest', async () => {
    const { reveal, rotate, send } = await setup();
    const first = await reveal();
    const second = await rotate(24);
    const third = await rotate(24);
    const sent = await send();
    expect([first, second, third].map((secret) => isAccepted(secret, sent))).toEqual([false, true, true]);
  });

  it('shows a secret by its first characters only, and stores none in the clear', async () => {
    const { ctx, clock, identity, reveal, rotate, find } = await setup();
    const old = await reveal();
    const fresh = await rotate(2);
    expect(await find()).toEqual({
      prefix: fresh.slice(0, 12),
      old_prefix: old.slice(0, 12),
      old_valid_until: new Date(clock.now() + 2 * HOUR_MS).toISOString().replace('Z', '000Z'),
    });
    const stored = await ctx.db.query(
      statement<{ row: string }>('', 'select u::text as row from users u where id = $1'),
      [identity.userId],
    );
    expect(stored[0]?.row).not.toContain(fresh.slice(6));
    expect(stored[0]?.row).not.toContain(old.slice(6));
    clock.advance(2 * HOUR_MS);
    expect(await find()).toEqual({ prefix: fresh.slice(0, 12), old_prefix: null, old_valid_until: null });
  });
});
