import { statement } from '@parley/db';
import { takeTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeBridge, permitted, SECOND_DIALOG } from '../../test/arrange-bridge.ts';
import { DIALOG, endOf, makeVoiceProcess, silenceVoiceProcess, waitingJobs } from '../../test/arrange.ts';
import { liveDials, makeCampaign, makeLeads } from '../../test/arrange-campaign.ts';
import { setAccountLimit } from '../../test/arrange-limits.ts';
import { runCampaign } from './run-campaign.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from './finish-call.ts';
import { recordBridgeDialog, recordBridgeEnd } from './record-bridge.ts';
import { findSilentProcesses, sweepCalls } from './sweep-calls.ts';

/** A sweep reads all rows, so each test has its own database. */
async function setup() {
  const database = await takeTestDatabase();
  const about = await arrangeBridge(database.db);
  const { ctx, callId, fence, clock } = about;
  const { bridgeId } = permitted(await about.ask());
  const end = (reason = 'busy') =>
    recordBridgeEnd(ctx, { callId, bridgeId, at: new Date(clock.now()), reason, fence });
  const sweep = async () =>
    sweepCalls(ctx, { hasBeenReachableForMs: 60_000, unreachable: await findSilentProcesses(ctx) });
  return { ...about, bridgeId, end, sweep, detail: () => findCall(ctx, about.identity, callId) };
}

const countLive = statement<{ live: number }>('', 'select count(*) as live from live_calls');

describe('a second leg that is not answered', () => {
  it('releases its slot, once, and its call goes on', async () => {
    const about = await setup();
    await about.end();
    await about.end();
    expect(await about.legs()).toEqual([]);
    const { status, events } = await about.detail();
    expect(status).toBe('in-progress');
    expect(events.filter(({ type }) => type === 'call_bridge_ended')).toMatchObject([
      { detail: { reason: 'busy' } },
    ]);
    permitted(await about.ask());
  });

  it('wakes a campaign that waits for the slot', async () => {
    const about = await setup();
    await setAccountLimit(about, 2);
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 1 });
    await makeLeads(about, campaignId, 1);
    await runCampaign(about.ctx, campaignId);
    expect(await liveDials(about, campaignId)).toEqual([]);
    await about.ctx.db.query(statement('', 'delete from graphile_worker._private_jobs'));
    await about.end();
    expect(await waitingJobs(about.ctx, 'run_campaign', { campaignId })).toBe(1);
    await runCampaign(about.ctx, campaignId);
    expect(await liveDials(about, campaignId)).toHaveLength(1);
  });
});

describe('a second leg that was answered', () => {
  it('keeps its dialog for others, the newest one', async () => {
    const about = await setup();
    await about.answer(about.bridgeId);
    const { ctx, callId, bridgeId, fence } = about;
    const dialog = { ...SECOND_DIALOG, localSequence: 2 };
    await recordBridgeDialog(ctx, { callId, bridgeId, at: new Date(ctx.clock.now() + 5), dialog, fence });
    expect(await about.legs()).toMatchObject([{ answeredAt: new Date(ctx.clock.now()), dialog }]);
    const answers = (await about.detail()).events.filter(({ type }) => type === 'call_bridge_answered');
    expect(answers).toHaveLength(1);
  });

  it('is recorded only for the process that owns the call', async () => {
    const about = await setup();
    const { ctx, callId, bridgeId } = about;
    const fence = await makeVoiceProcess(ctx);
    const fact = { callId, bridgeId, at: new Date(ctx.clock.now()), fence };
    await expect(recordBridgeDialog(ctx, { ...fact, dialog: SECOND_DIALOG })).rejects.toThrow(/another/i);
    await expect(recordBridgeEnd(ctx, { ...fact, reason: 'busy' })).rejects.toThrow(/another/i);
  });

  it('ends with its call, and its line is charged beside the first one', async () => {
    const about = await setup();
    about.clock.advance(20_000);
    await about.answer(about.bridgeId);
    about.clock.advance(40_000);
    await finishCall(about.ctx, {
      ...endOf(about, about.callId),
      event: 'ended',
      endedReason: 'call_transfer',
    });
    expect(await about.ctx.db.query(countLive)).toEqual([{ live: 0 }]);
    const carrier = (await about.detail()).costs.filter(({ stage }) => stage === 'carrier');
    expect(carrier.map(({ quantity }) => quantity)).toEqual([60, 40]);
  });

  it('and not accepted is charged when it ends, and its call goes on', async () => {
    const about = await setup();
    await about.answer(about.bridgeId);
    about.clock.advance(12_000);
    await about.end('declined');
    await about.end('declined');
    expect(await about.legs()).toEqual([]);
    about.clock.advance(20_000);
    await finishCall(about.ctx, endOf(about, about.callId));
    const { costs, events } = await about.detail();
    const carrier = costs.filter(({ stage }) => stage === 'carrier');
    expect(carrier.map(({ quantity }) => quantity)).toEqual([12, 32]);
    const ends = events.filter(({ type }) => type === 'call_bridge_ended');
    expect(ends).toMatchObject([{ detail: { reason: 'declined' } }]);
  });

  it('what is said of it later is ignored', async () => {
    const about = await setup();
    await finishCall(about.ctx, endOf(about, about.callId));
    await about.answer(about.bridgeId);
    await about.end();
    expect(await about.ctx.db.query(countLive)).toEqual([{ live: 0 }]);
  });
});

describe('a voice process that died with a bridge', () => {
  it('both far ends get BYE once, and both slots are free', async () => {
    const about = await setup();
    await about.answer(about.bridgeId);
    await silenceVoiceProcess(about.ctx, about.fence);
    await Promise.all([about.sweep(), about.sweep(), about.sweep()]);
    const { callId } = about;
    for (const dialog of [DIALOG, SECOND_DIALOG])
      expect(await waitingJobs(about.ctx, 'end_dialog', { callId, dialog })).toBe(1);
    expect(await about.ctx.db.query(countLive)).toEqual([{ live: 0 }]);
    expect(await about.detail()).toMatchObject({ status: 'ended', ended_reason: 'process_lost' });
  });

  it('a leg that was not answered has no far end, and is never dialed again', async () => {
    const about = await setup();
    await silenceVoiceProcess(about.ctx, about.fence);
    await about.sweep();
    const { callId, bridgeId } = about;
    expect(await waitingJobs(about.ctx, 'end_dialog', { callId, dialog: DIALOG })).toBe(1);
    expect(await waitingJobs(about.ctx, 'end_dialog', { callId, dialog: SECOND_DIALOG })).toBe(0);
    expect(await waitingJobs(about.ctx, 'dial_call', { callId: bridgeId })).toBe(0);
    expect(await about.ctx.db.query(countLive)).toEqual([{ live: 0 }]);
  });
});
