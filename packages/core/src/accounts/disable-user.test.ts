import type { UserChanges } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeBridge } from '../../test/arrange-bridge.ts';
import {
  campaignStatus,
  liveDials,
  makeCampaign,
  makeLeads,
  setCampaign,
} from '../../test/arrange-campaign.ts';
import { arrange, makeContext, makeIntendedCall, makeUser } from '../../test/arrange.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import { authorizeDial } from '../lifecycle/authorize-dial.ts';
import { authorizeTransfer } from '../lifecycle/authorize-transfer.ts';
import { claimWebCall } from '../lifecycle/claim-web-call.ts';
import { placeWebCall } from '../lifecycle/place-web-call.ts';
import { authenticateToken } from '../users/authenticate-token.ts';
import { createToken } from '../users/create-token.ts';
import { createSignInLink, redeemSignInLink } from '../users/sign-in-link.ts';
import { findSession } from '../users/session.ts';
import { signIn } from '../users/sign-in.ts';
import { inviteAgain } from './invite-user.ts';
import { addUserAccount, changeUserAccount, listUserAccounts } from './user-accounts.ts';

const database = useTestDatabase();
const ORIGIN = { networkAddress: '192.0.2.1' };
const PASSWORD = 'a long password';

const disable = statement('', 'update users set disabled_at = now() where id = $1');
const selectEnd = statement<{ status: string; endedReason: string | null }>(
  '',
  'select status, ended_reason from calls where id = $1',
);

async function setup() {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const email = `disabled-${operator.userId}@example.org`;
  const user = await addUserAccount(ctx, operator, {
    name: 'Bo',
    email,
    password: PASSWORD,
    role: 'member',
    timezone: 'UTC',
  });
  const set = (isDisabled: boolean) =>
    changeUserAccount(ctx, operator, { id: user.id, is_disabled: isDisabled });
  const enter = () => signIn(ctx, { email, password: PASSWORD, ...ORIGIN });
  return { ctx, operator, user, set, enter };
}

describe('a disabled user', () => {
  it('is signed out, and cannot sign in or use the API until enabled again', async () => {
    const { ctx, user, set, enter } = await setup();
    const session = await enter();
    const link = await createSignInLink(ctx, user.id);
    const { token } = await createToken(ctx, { userId: user.id, name: 'Script' });
    expect(await set(true)).toMatchObject({ disabled_at: expect.any(String) });
    expect(await findSession(ctx, session?.cookie ?? '')).toBeNull();
    expect(await authenticateToken(ctx, token)).toBeNull();
    expect(await enter()).toBeNull();
    expect(await redeemSignInLink(ctx, link, ORIGIN)).toBeNull();

    expect(await set(false)).toMatchObject({ disabled_at: null });
    expect(await authenticateToken(ctx, token)).toMatchObject({ userId: user.id });
    expect(await enter()).toMatchObject({ user: { id: user.id } });
  });

  it('gets no sign-in link, and the refusal gives the reason', async () => {
    const { ctx, operator, user, set } = await setup();
    await set(true);
    const refused = {
      kind: 'conflict',
      message: 'This user is disabled and cannot sign in. Enable the user first.',
    };
    await expect(createSignInLink(ctx, user.id)).rejects.toMatchObject(refused);
    await expect(inviteAgain(ctx, operator, user.id)).rejects.toMatchObject(refused);
    await set(false);
    expect(await inviteAgain(ctx, operator, user.id)).toEqual(expect.any(String));
  });

  it('cannot start a call in the browser with a ticket that was issued before', async () => {
    const { ctx, identity, assistant, fence: voiceProcess } = await arrange(database.db);
    const { callId, ticket } = await placeWebCall(ctx, identity, { assistantId: assistant.id });
    const operator = await makeUser(ctx);
    const set = (isDisabled: boolean) =>
      changeUserAccount(ctx, operator, { id: identity.userId, is_disabled: isDisabled });
    await set(true);
    expect(await claimWebCall(ctx, { ticket, voiceProcess })).toBeNull();
    await set(false);
    expect(await claimWebCall(ctx, { ticket, voiceProcess })).toMatchObject({ callId });
  });

  it('makes no call that was placed before, and no transfer', async () => {
    const about = await arrangeBridge(database.db);
    const { ctx, identity, callId, fence, listed: phoneNumber, ask } = about;
    const placed = await makeIntendedCall(about);
    // A request that places a call at the same moment: the calls of the user were ended before it commits.
    await ctx.db.query(disable, [identity.userId]);
    const refused = { isAllowed: false, reason: 'account_disabled' };
    expect(await authorizeDial(ctx, { callId: placed, fence })).toEqual(refused);
    expect(await authorizeTransfer(ctx, { callId, phoneNumber, fence })).toEqual(refused);
    expect(await ask()).toEqual(refused);
  });

  it('has no calls left that were not dialed', async () => {
    const about = await arrange(database.db);
    const callId = await makeIntendedCall(about);
    const operator = await makeUser(about.ctx);
    await changeUserAccount(about.ctx, operator, { id: about.identity.userId, is_disabled: true });
    const [call] = await about.ctx.db.query(selectEnd, [callId]);
    expect(call).toEqual({ status: 'failed', endedReason: 'account_disabled' });
  });
});

it('the campaigns of a user who is disabled stop, and stay stopped when the user is enabled', async () => {
  const about = await arrange(database.db);
  const campaignId = await makeCampaign(about, { status: 'in-progress' });
  await makeLeads(about, campaignId, 2);
  const operator = await makeUser(about.ctx);
  const set = (isDisabled: boolean) =>
    changeUserAccount(about.ctx, operator, { id: about.identity.userId, is_disabled: isDisabled });
  await set(true);
  expect(await campaignStatus(about, campaignId)).toBe('stopped');
  // A start that was on its way is ineffective.
  await setCampaign(about, campaignId, 'status', 'in-progress');
  await fillCampaign(about.ctx, { campaignId });
  expect(await liveDials(about, campaignId)).toEqual([]);
  await set(false);
  await fillCampaign(about.ctx, { campaignId });
  expect(await liveDials(about, campaignId)).not.toEqual([]);
});

it('operators cannot disable themselves', async () => {
  const { ctx, operator } = await setup();
  const own = changeUserAccount(ctx, operator, { id: operator.userId, is_disabled: true });
  await expect(own).rejects.toMatchObject({ kind: 'conflict', message: 'You cannot disable yourself.' });
});

describe('of two operators who exclude each other at once, one stays', () => {
  it.each<[string, UserChanges, UserChanges]>([
    ['by disabling', { is_disabled: true }, { is_disabled: true }],
    ['one by disabling, the other by a new role', { is_disabled: true }, { role: 'member' }],
  ])('%s', async (_how, byFirst, bySecond) => {
    const { ctx, operator } = await setup();
    for (const { id, role, disabled_at } of await listUserAccounts(ctx, operator))
      if (role === 'operator' && disabled_at === null && id !== operator.userId)
        await changeUserAccount(ctx, operator, { id, is_disabled: true });
    const other = await makeUser(ctx);
    const outcomes = await Promise.allSettled([
      changeUserAccount(ctx, operator, { id: other.userId, ...byFirst }),
      changeUserAccount(ctx, other, { id: operator.userId, ...bySecond }),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toMatchObject([
      { kind: 'conflict', message: expect.stringContaining('The last operator cannot') },
    ]);
    const left = (await listUserAccounts(ctx, operator)).filter(
      ({ role, disabled_at }) => role === 'operator' && disabled_at === null,
    );
    expect(left).toHaveLength(1);
  });
});
