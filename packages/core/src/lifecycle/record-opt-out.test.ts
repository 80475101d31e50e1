import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { leadState, liveDials, makeCampaign, makeLead } from '../../test/arrange-campaign.ts';
import {
  arrange,
  intendFor,
  makeAnsweredCall,
  makeCall,
  makeVoiceProcess,
  talkedEndOf,
} from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import { addToDoNotCallList, listDoNotCall } from '../do-not-call/do-not-call-list.ts';
import { FencedError } from '../shared/domain-error.ts';
import { authorizeDial } from './authorize-dial.ts';
import { finishCall } from './finish-call.ts';
import { recordOptOut } from './record-opt-out.ts';
import { runCampaign } from './run-campaign.ts';

const database = useTestDatabase();
const hideNumber = statement('', `update calls set client_phone_number = 'anonymous' where id = $1`);

/** An answered call; the person it reached asks not to be called again. */
async function setup() {
  const about = await arrange(database.db);
  const { ctx, identity, clock, fence } = about;
  const callId = await makeAnsweredCall(about);
  const call = () => findCall(ctx, identity, callId);
  const { client_phone_number: number } = await call();
  const optOut = (by = fence, means: 'said' | 'pressed' = 'said') =>
    recordOptOut(ctx, { callId, at: new Date(clock.now()), means, atMs: 4200, fence: by });
  const list = async () => (await listDoNotCall(ctx, identity, { page: 1, perPage: 15 })).rows;
  return { ...about, about, callId, number, call, optOut, list };
}

describe('a person who asks on a call not to be called again', () => {
  it('is on the list with the reason and the call, which shows it in its timeline', async () => {
    const { optOut, list, number, callId, call, clock } = await setup();
    await optOut();
    const entry = { phoneNumber: number, reason: 'Asked on a call not to be called again', callId };
    expect(await list()).toEqual([{ ...entry, createdAt: new Date(clock.now()) }]);
    expect((await call()).events.at(-1)).toMatchObject({
      type: 'opted_out',
      detail: { means: 'said', at_ms: 4200, is_listed: true },
    });
  });

  it('is not dialed any more, also when the next call was planned before', async () => {
    const { ctx, about, fence, callId, number, optOut } = await setup();
    await finishCall(ctx, talkedEndOf(about, callId));
    const next = await makeCall(about, number);
    await intendFor(ctx, next, fence);
    await optOut();
    expect(await authorizeDial(ctx, { callId: next, fence })).toEqual({
      isAllowed: false,
      reason: 'do_not_call',
    });
  });

  it('is skipped by every campaign of the account', async () => {
    const { ctx, about, number, callId, optOut } = await setup();
    await finishCall(ctx, talkedEndOf(about, callId));
    await optOut(undefined, 'pressed');
    const campaignId = await makeCampaign(about);
    const lead = await makeLead(about, campaignId, { phoneNumber: number });
    await runCampaign(ctx, campaignId);
    expect(await liveDials(about, campaignId)).toEqual([]);
    expect(await leadState(about, lead.id)).toMatchObject({
      dialState: 'blocked',
      dialReason: 'do_not_call',
    });
  });

  it('leaves the reason of an earlier entry as it is', async () => {
    const { ctx, identity, optOut, list, number, callId } = await setup();
    await addToDoNotCallList(ctx, identity, { phoneNumber: number, reason: 'By letter' });
    await optOut();
    await optOut();
    expect(await list()).toMatchObject([{ phoneNumber: number, reason: 'By letter', callId }]);
  });

  it('without a number stands in the timeline only', async () => {
    const { ctx, optOut, list, callId, call } = await setup();
    await ctx.db.query(hideNumber, [callId]);
    await optOut();
    expect(await list()).toEqual([]);
    expect((await call()).events.at(-1)).toMatchObject({ detail: { is_listed: false } });
  });

  it('is not reported by a process that has lost the call', async () => {
    const { ctx, optOut, list } = await setup();
    await expect(optOut(await makeVoiceProcess(ctx))).rejects.toThrow(FencedError);
    expect(await list()).toEqual([]);
  });
});
