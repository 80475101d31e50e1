import { randomUUID } from 'node:crypto';
import { newUserBody } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { redeemSignInLink } from '../users/sign-in-link.ts';
import { inviteAgain, inviteUser } from './invite-user.ts';

const database = useTestDatabase();
const origin = { networkAddress: '192.0.2.1' };
const DAY_MS = 24 * 3_600_000;

async function setup() {
  const { ctx, clock } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const input = newUserBody.parse({ name: 'Bo', email: `${randomUUID()}@example.org` });
  return { ctx, clock, operator, member: { ...operator, role: 'member' as const }, input };
}

it('the link of an invitation signs the new user in once', async () => {
  const { ctx, operator, input } = await setup();
  const { user, secret } = await inviteUser(ctx, operator, input);
  expect(user).toMatchObject({ name: 'Bo', role: 'member' });
  expect((await redeemSignInLink(ctx, secret, origin))?.user.id).toBe(user.id);
  expect(await redeemSignInLink(ctx, secret, origin)).toBeNull();
});

it('is valid for a day', async () => {
  const { ctx, clock, operator, input } = await setup();
  const { user, secret } = await inviteUser(ctx, operator, input);
  clock.advance(DAY_MS - 1000);
  const again = await inviteAgain(ctx, operator, user.id);
  clock.advance(1000);
  expect(await redeemSignInLink(ctx, secret, origin)).toBeNull();
  expect((await redeemSignInLink(ctx, again, origin))?.user.id).toBe(user.id);
});

it('is refused to members, and for users that do not exist', async () => {
  const { ctx, operator, member, input } = await setup();
  await expect(inviteUser(ctx, member, input)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(inviteAgain(ctx, member, operator.userId)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(inviteAgain(ctx, operator, 2 ** 40)).rejects.toMatchObject({ kind: 'not-found' });
});
