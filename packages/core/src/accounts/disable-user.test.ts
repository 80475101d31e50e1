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
import { authenticateToken } from '../users/authenticate-token.ts';
import { createToken } from '../users/create-token.ts';
import { createSignInLink, redeemSignInLink } from '../users/sign-in-link.ts';
import { findSession } from '../users/session.ts';
import { signIn } from '../users/sign-in.ts';
import { addUserAccount, changeUserAccount } from './user-accounts.ts';

const database = useTestDatabase();
const ORIGIN = { networkAddress: '192.0.2.1' };
const PASSWORD = 'a long password';

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
    const later = await createSignInLink(ctx, user.id);
    expect(await redeemSignInLink(ctx, later, ORIGIN)).toBeNull();

    expect(await set(false)).toMatchObject({ disabled_at: null });
    expect(await authenticateToken(ctx, token)).toMatchObject({ userId: user.id });
    expect(await enter()).toMatchObject({ user: { id: user.id } });
  });

  it('makes no call that was placed before, and no transfer', async () => {
    const about = await arrangeBridge(database.db);
    const { ctx, identity, callId, fence, listed: phoneNumber, ask } = about;
    const placed = await makeIntendedCall(about);
    const operator = await makeUser(ctx);
    await changeUserAccount(ctx, operator, { id: identity.userId, is_disabled: true });
    const refused = { isAllowed: false, reason: 'account_disabled' };
    expect(await authorizeDial(ctx, { callId: placed, fence })).toEqual(refused);
    expect(await authorizeTransfer(ctx, { callId, phoneNumber, fence })).toEqual(refused);
    expect(await ask()).toEqual(refused);
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
