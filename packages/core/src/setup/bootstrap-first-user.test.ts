import { assistantRecord } from '@parley/contracts';
import { takeTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import { listAllAssistants } from '../assistants/list-assistants.ts';
import { listPhoneNumbers } from '../lookups/list-lookups.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { authenticateToken } from '../users/authenticate-token.ts';
import { bootstrapFirstUser } from './bootstrap-first-user.ts';
import { signIn } from '../users/sign-in.ts';

/** A database in which nothing has happened yet. */
async function setup() {
  const database = await takeTestDatabase();
  return makeContext(database.db);
}

const networkAddress = '192.0.2.1';

describe('the first start', () => {
  it('makes an operator who can sign in and use the API', async () => {
    const { ctx } = await setup();
    const { isNew, user, token, password } = await bootstrapFirstUser(ctx);
    expect({ isNew, role: user.role }).toEqual({ isNew: true, role: 'operator' });
    expect(await authenticateToken(ctx, token ?? '')).toMatchObject({ userId: user.id });
    const input = { email: user.email, password: password ?? '', networkAddress };
    expect((await signIn(ctx, input))?.user).toEqual(user);
  });

  it('uses a preset address, password and token', async () => {
    const { ctx } = await setup();
    const preset = {
      email: 'Ops@Example.org',
      password: 'a preset password',
      token: 'a-preset-token-of-32-characters-and-more',
    };
    const result = await bootstrapFirstUser(ctx, preset);
    expect(result).toMatchObject({ isNew: true, token: preset.token, user: { email: 'ops@example.org' } });
    expect(result.password).toBeUndefined();
    expect(await signIn(ctx, { ...preset, networkAddress })).not.toBeNull();
  });

  it('happens once, in whatever order and however many at once', async () => {
    const { ctx } = await setup();
    const results = await Promise.all(Array.from({ length: 4 }, () => bootstrapFirstUser(ctx)));
    expect(results.filter((result) => result.isNew)).toHaveLength(1);
    const again = await bootstrapFirstUser(ctx, { email: 'other@example.org' });
    expect(again).toEqual({ isNew: false, user: results[0]?.user });
  });

  it('finds the first operator who is enabled at later starts', async () => {
    const { ctx } = await setup();
    const { user } = await bootstrapFirstUser(ctx);
    const operator = await makeUser(ctx);
    await changeUserAccount(ctx, operator, { id: user.id, is_disabled: true });
    expect(await bootstrapFirstUser(ctx)).toMatchObject({ isNew: false, user: { id: operator.userId } });
  });

  it('leaves two assistants to try, and a line that reaches fictional numbers only', async () => {
    const { ctx } = await setup();
    const { token } = await bootstrapFirstUser(ctx);
    const identity = await authenticateToken(ctx, token ?? '');
    if (!identity) throw new Error('The token does not work');
    const assistants = await listAllAssistants(ctx, identity);
    expect(assistants.map((assistant) => assistant.type)).toEqual(['inbound', 'outbound']);
    for (const assistant of assistants) expect(assistantRecord.parse(assistant)).toEqual(assistant);
    const numbers = await listPhoneNumbers(ctx, identity);
    expect(numbers.map((number) => [number.phone_number, number.is_available])).toEqual([
      ['+12025550100', true],
      ['+12025550101', false],
    ]);
    const assistantId = assistants[1]?.id ?? 0;
    await expect(
      placeCall(ctx, identity, { phoneNumber: '+12025550123', assistantId }),
    ).resolves.toBeDefined();
    await expect(
      placeCall(ctx, identity, { phoneNumber: '+4915123456789', assistantId }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      fields: { phone_number: [expect.stringContaining('No configured trunk can reach this number.')] },
    });
  });
});
