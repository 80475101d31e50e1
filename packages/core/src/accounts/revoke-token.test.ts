/** What is left of a token that was revoked because it leaked: no call that was not dialed, and no campaign. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import {
  askToDial,
  campaignStatus,
  liveDials,
  makeCampaign,
  makeLeads,
} from '../../test/arrange-campaign.ts';
import { arrange, freshNumber, intendFor, makeUser } from '../../test/arrange.ts';
import { startCampaign } from '../campaigns/update-campaign-status.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import { authorizeDial } from '../lifecycle/authorize-dial.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { authenticateToken } from '../users/authenticate-token.ts';
import type { Identity } from '../users/identity.ts';
import { issueToken } from '../users/own-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import { changeUserAccount } from './user-accounts.ts';

const database = useTestDatabase();

const selectEnd = statement<{ status: string; endedReason: string | null; hangUpReason: string | null }>(
  '',
  `select c.status, c.ended_reason, l.hang_up_reason
   from calls c left join live_calls l on l.call_id = c.id where c.id = $1`,
);
/** Sessions of this database that wait for a row. */
const countWaiting = statement<{ waiting: number }>(
  '',
  `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);
const revoke = statement('', 'update api_tokens set revoked_at = now() where id = $1');

async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity: owner, assistant } = about;
  const makeIdentity = async () => {
    const { token } = await issueToken(ctx, owner, { name: 'Script' });
    const identity = await authenticateToken(ctx, token ?? '');
    if (identity?.tokenId == null) throw new Error('The token is unknown');
    return { ...identity, tokenId: identity.tokenId };
  };
  const identity = await makeIdentity();
  const place = async (as: Identity = identity) => {
    const input = { phoneNumber: freshNumber(), assistantId: assistant.id };
    const { callId } = await placeCall(ctx, as, input);
    await intendFor(ctx, callId, about.fence);
    return callId;
  };
  const dial = (callId: number) => authorizeDial(ctx, { callId, fence: about.fence });
  const end = async (callId: number) => (await ctx.db.query(selectEnd, [callId]))[0];
  return { ...about, owner, identity, makeIdentity, place, dial, end };
}

it('its calls that were not dialed end, those that ring are hung up, and conversations go on', async () => {
  const about = await setup();
  const { ctx, owner, identity, makeIdentity, place, dial, end, fence } = about;
  const [waiting, ringing, talking] = [await place(), await place(), await place()];
  const ofAnother = await place(await makeIdentity());
  const ofThePage = await place(owner);
  for (const callId of [ringing, talking]) expect(await dial(callId)).toEqual({ isAllowed: true });
  const at = new Date(ctx.clock.now());
  await recordCallEvent(ctx, { callId: talking, event: 'answered', at, fence });
  await revokeToken(ctx, owner, identity.tokenId);
  expect(await end(waiting)).toMatchObject({ status: 'failed', endedReason: 'token_revoked' });
  expect(await end(ringing)).toMatchObject({ endedReason: null, hangUpReason: 'token_revoked' });
  expect(await end(talking)).toMatchObject({ status: 'in-progress', hangUpReason: null });
  for (const callId of [ofAnother, ofThePage]) expect(await dial(callId)).toEqual({ isAllowed: true });
});

it('a call that a request places at the moment of the revocation is refused by the permission to dial', async () => {
  const { ctx, identity, place, dial, end } = await setup();
  const callId = await place();
  await ctx.db.query(revoke, [identity.tokenId]);
  expect(await dial(callId)).toEqual({ isAllowed: false, reason: 'token_revoked' });
  expect(await end(callId)).toMatchObject({ status: 'failed', endedReason: 'token_revoked' });
});

it.each(['token', 'user'] as const)(
  'when the %s is shut out during the permission to dial, the answer comes after it, and the call is hung up',
  async (what) => {
    const { ctx, owner, identity, place, dial, end } = await setup();
    const callId = await place();
    const operator = await makeUser(ctx);
    const events: string[] = [];
    const released = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    // The permission is checked; it only has to be written down.
    const holding = ctx.db.transaction(async (tx) => {
      await tx.query(statement('', 'lock table number_attempts in share mode'), []);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const waiting = async () => (await ctx.db.query(countWaiting, []))[0]?.waiting ?? 0;
    const dialed = dial(callId).then((answer) => {
      events.push('dialed');
      return answer;
    });
    await expect.poll(waiting).toBe(1);
    const shutOut =
      what === 'token'
        ? revokeToken(ctx, owner, identity.tokenId)
        : changeUserAccount(ctx, operator, { id: owner.userId, is_disabled: true });
    const answered = shutOut.then(() => events.push('shut out'));
    await expect.poll(async () => (await waiting()) >= 2 || events.length > 0).toBe(true);
    released.resolve();
    await Promise.all([holding, answered]);
    expect(await dialed).toEqual({ isAllowed: true });
    expect(events).toEqual(['dialed', 'shut out']);
    const reason = what === 'token' ? 'token_revoked' : 'account_disabled';
    expect(await end(callId)).toMatchObject({ hangUpReason: reason });
  },
);

it('campaigns that it started stop, and start again with another token', async () => {
  const about = await setup();
  const { ctx, owner, identity, makeIdentity } = about;
  const campaignId = await makeCampaign(about, { status: 'draft' });
  const others = await makeCampaign(about, { status: 'draft' });
  await makeLeads(about, campaignId, 2);
  expect(await startCampaign(ctx, identity, campaignId)).toMatchObject({ isStarted: true });
  expect(await startCampaign(ctx, owner, others)).toMatchObject({ isStarted: true });
  await revokeToken(ctx, owner, identity.tokenId);
  expect(await campaignStatus(about, campaignId)).toBe('stopped');
  expect(await campaignStatus(about, others)).toBe('in-progress');
  expect(await startCampaign(ctx, await makeIdentity(), campaignId)).toMatchObject({ isStarted: true });
  await fillCampaign(ctx, { campaignId });
  const [first] = await liveDials(about, campaignId);
  expect(await askToDial(about, first?.callId ?? 0)).toEqual({ isAllowed: true });
});

it('a start on its way either is refused, or its campaign is stopped', async () => {
  const about = await setup();
  const { ctx, owner, makeIdentity } = about;
  for (let round = 0; round < 10; round++) {
    const identity = await makeIdentity();
    const campaignId = await makeCampaign(about, { status: 'draft' });
    await makeLeads(about, campaignId, 1);
    const [start] = await Promise.allSettled([
      startCampaign(ctx, identity, campaignId),
      revokeToken(ctx, owner, identity.tokenId),
    ]);
    expect(await campaignStatus(about, campaignId)).toBe(start.status === 'rejected' ? 'draft' : 'stopped');
    await expect(startCampaign(ctx, identity, campaignId)).rejects.toMatchObject({ kind: 'unauthenticated' });
  }
});

it('a process that is killed after the revocation leaves no campaign running', async () => {
  const about = await setup();
  const { ctx, owner, identity } = about;
  const campaignId = await makeCampaign(about, { status: 'draft' });
  await makeLeads(about, campaignId, 1);
  await startCampaign(ctx, identity, campaignId);
  let transactions = 0;
  const db: typeof ctx.db = {
    ...ctx.db,
    transaction: async (work) => {
      transactions += 1;
      if (transactions > 1) throw new Error('The process was killed');
      return ctx.db.transaction(work);
    },
  };
  await Promise.allSettled([revokeToken({ ...ctx, db }, owner, identity.tokenId)]);
  expect(await campaignStatus(about, campaignId)).toBe('stopped');
});
