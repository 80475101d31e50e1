import { newUserBody, userChangesBody, userRecord } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { authenticateToken } from '../users/authenticate-token.ts';
import { createToken } from '../users/create-token.ts';
import type { Identity } from '../users/identity.ts';
import { signIn } from '../users/sign-in.ts';
import { addUserAccount, changeUserAccount, listUserAccounts } from './user-accounts.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const add = (fields: Record<string, unknown> = {}) =>
    addUserAccount(
      ctx,
      operator,
      newUserBody.parse({ name: 'Bo', email: `${randomUUID()}@example.org`, ...fields }),
    );
  return { ctx, operator, add };
}

describe('accounts', () => {
  it('are added, listed and changed', async () => {
    const { ctx, operator, add } = await setup();
    const made = await add({ timezone: 'Europe/Berlin', default_country: 'de', password: 'long enough' });
    expect(userRecord.parse(made)).toMatchObject({
      role: 'member',
      timezone: 'Europe/Berlin',
      default_country: 'DE',
    });
    const signedIn = await signIn(ctx, {
      email: made.email,
      password: 'long enough',
      networkAddress: '192.0.2.1',
    });
    expect(signedIn?.user.id).toBe(made.id);
    const changed = await changeUserAccount(ctx, operator, {
      id: made.id,
      name: 'Boris',
      default_country: null,
    });
    expect(changed).toEqual({ ...made, name: 'Boris', default_country: null });
    expect(await listUserAccounts(ctx, operator)).toContainEqual(changed);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['an address that is none', { email: 'nobody' }, { email: 'The email must be a valid email address.' }],
    ['a short password', { password: 'short' }, { password: 'The password must have 8 to 1000 characters.' }],
    [
      'a country that is none',
      { default_country: 'QQ' },
      { default_country: 'The selected default country is invalid.' },
    ],
  ])('%s is refused', async (_name, fields, expected) => {
    const { add } = await setup();
    const [[field, text]] = Object.entries(expected) as [[string, string]];
    await expect(add(fields)).rejects.toMatchObject({ kind: 'invalid', fields: { [field]: [text] } });
  });

  it('have limits of calls and costs, and an address for webhooks about them', async () => {
    const { ctx, operator, add } = await setup();
    const none = { max_calls_per_second: null, max_calls_per_day: null, max_cost_per_day: null };
    const limits = { max_calls_per_second: 2, max_calls_per_day: 0, max_cost_per_day: 4.5 };
    const address = { limit_webhook_url: 'https://example.com/limits' };
    const made = await add();
    expect(made).toMatchObject({ ...none, limit_webhook_url: null });
    expect(await add({ ...limits, ...address })).toMatchObject({ ...limits, ...address });
    const change = (changes: Record<string, unknown>, by = operator) =>
      changeUserAccount(ctx, by, { ...userChangesBody.parse(changes), id: made.id });
    const changed = { ...made, ...limits, ...address };
    expect(await change({ ...limits, ...address })).toEqual(changed);
    expect(await change({ name: made.name })).toEqual(changed);
    expect(await change({ ...none, limit_webhook_url: null })).toEqual(made);
    const member = { ...operator, role: 'member' as const, userId: made.id };
    await expect(change(limits, member)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it.each([
    { max_calls_per_second: 0 },
    { max_calls_per_day: -1 },
    { max_cost_per_day: 100_001 },
    { limit_webhook_url: 'ftp://example.com' },
    { limit_webhook_url: 'https://user:secret@example.com' },
  ])('%j is refused', (changes) => {
    expect(userChangesBody.safeParse(changes).success).toBe(false);
  });

  it('an address that is taken is refused, in any case', async () => {
    const { add } = await setup();
    const { email } = await add();
    await expect(add({ email: email.toUpperCase() })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { email: ['The email has already been taken.'] },
    });
  });

  it('a new role counts for the tokens there are', async () => {
    const { ctx, operator, add } = await setup();
    const { id } = await add();
    const { token } = await createToken(ctx, { userId: id, name: 'Test' });
    await changeUserAccount(ctx, operator, { id, role: 'operator' });
    expect((await authenticateToken(ctx, token))?.role).toBe('operator');
  });

  it('are for operators only', async () => {
    const { ctx, operator } = await setup();
    const member: Identity = { ...operator, role: 'member' };
    const refusal = { kind: 'forbidden', message: 'This needs the role "operator".' };
    await expect(listUserAccounts(ctx, member)).rejects.toMatchObject(refusal);
    await expect(changeUserAccount(ctx, member, { id: member.userId })).rejects.toMatchObject(refusal);
    const input = newUserBody.parse({ name: 'X', email: 'x@example.org' });
    await expect(addUserAccount(ctx, member, input)).rejects.toMatchObject(refusal);
  });

  it('one that is none cannot be changed', async () => {
    const { ctx, operator } = await setup();
    await expect(changeUserAccount(ctx, operator, { id: 999_999, role: 'member' })).rejects.toMatchObject({
      kind: 'not-found',
      message: 'User not found',
    });
  });

  it('of two operators who demote each other at once, one stays', async () => {
    const { ctx, operator } = await setup();
    for (const { id, role } of await listUserAccounts(ctx, operator)) {
      if (role === 'operator' && id !== operator.userId)
        await changeUserAccount(ctx, operator, { id, role: 'member' });
    }
    const other = await makeUser(ctx);
    const outcomes = await Promise.allSettled([
      changeUserAccount(ctx, operator, { id: other.userId, role: 'member' }),
      changeUserAccount(ctx, other, { id: operator.userId, role: 'member' }),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toMatchObject([
      { kind: 'conflict', message: 'The last operator cannot become a member.' },
    ]);
  });
});
