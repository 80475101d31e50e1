import type { EndReason } from '@parley/contracts';
import { statement } from '@parley/db';
import { captureLog, useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  endOf,
  intendFor,
  makeDialedCall,
  makeIntendedCall,
  makeTestLine,
  type Arrangement,
} from '../../test/arrange.ts';
import {
  askToDial,
  leadState,
  liveDials,
  makeCampaign,
  makeLeads,
  nextLook,
  onlyDial,
} from '../../test/arrange-campaign.ts';
import { ownTrunk, setTrunkPause } from '../../test/arrange-limits.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { recordCallEvent } from '../lifecycle/record-call-event.ts';
import { runCampaign } from '../lifecycle/run-campaign.ts';
import { forgetOldOutcomes } from './note-trunk-outcome.ts';
import { listTrunks } from '../trunks/trunks.ts';

const database = useTestDatabase();

/** A trunk whose calls all fail. */
async function setup() {
  const about = await arrange(database.db);
  const trunkId = await ownTrunk(about);
  const health = async () =>
    (await listTrunks(about.ctx, about.identity)).find(({ id }) => id === trunkId)?.health;
  return { ...about, about, trunkId, health };
}

async function end(about: Arrangement, callId: number, reason: EndReason): Promise<void> {
  const at = new Date(about.clock.now());
  await recordCallEvent(about.ctx, { callId, event: 'failed', at, detail: { reason }, fence: about.fence });
}

async function fail(about: Arrangement, times: number, reason: EndReason = 'unavailable'): Promise<void> {
  for (let time = 0; time < times; time++) await end(about, await makeDialedCall(about), reason);
}

async function answer(about: Arrangement, callId: number): Promise<void> {
  const at = new Date(about.clock.now());
  await recordCallEvent(about.ctx, { callId, event: 'answered', at, fence: about.fence });
}

const trunkOf = statement<{ trunkId: number }>('', 'select trunk_id from live_calls where call_id = $1');

const holdForTrunk = statement('', 'update campaigns set held_by = $2, held_since = $3 where id = $1');
const forgetWake = statement('', 'delete from graphile_worker._private_jobs where key = $1');
const outcomesOf = statement<{ callId: number; isFault: boolean }>(
  '',
  'select call_id, is_fault from trunk_outcomes where trunk_id = $1 order by call_id',
);

describe('a trunk that fails most of its calls', () => {
  it('pauses itself and says so', async () => {
    const { about, health } = await setup();
    await fail(about, 9);
    expect(await health()).toEqual({ state: 'healthy', paused_until: null, first_success_at: null });
    await fail(about, 1);
    expect(await health()).toMatchObject({ state: 'paused', paused_until: '2026-01-01T00:00:30.000000Z' });
  });

  it('busy and rejected numbers do not count against it', async () => {
    const { about, health } = await setup();
    await fail(about, 12, 'rejected');
    expect((await health())?.state).toBe('healthy');
  });

  it.each(['rejected', 'busy', 'answered'] as const)('is proven by a call that was %s', async (ending) => {
    const { about, health } = await setup();
    await fail(about, 1);
    expect((await health())?.first_success_at).toBeNull();
    if (ending === 'answered') await answer(about, await makeDialedCall(about));
    else await fail(about, 1, ending);
    const first = { first_success_at: '2026-01-01T00:00:00.000000Z' };
    expect(await health()).toMatchObject(first);
    about.clock.advance(1000);
    await fail(about, 1, 'rejected');
    expect(await health()).toMatchObject(first);
  });

  it('what was answered counts for it', async () => {
    const { about, health } = await setup();
    for (let time = 0; time < 10; time++) await answer(about, await makeDialedCall(about));
    await fail(about, 10);
    expect((await health())?.state).toBe('healthy');
    await fail(about, 1);
    expect((await health())?.state).toBe('paused');
  });

  it('holds its campaign up until the pause ends, then sends one call on trial', async () => {
    const { about, clock, health } = await setup();
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 5 });
    const leadIds = await makeLeads(about, campaignId, 5);
    await fail(about, 10);
    const run = () => runCampaign(about.ctx, campaignId);
    await run();
    expect(await liveDials(about, campaignId)).toEqual([]);
    clock.advance(30_000);
    expect((await health())?.state).toBe('on-trial');
    await run();
    await run();
    const [trial, ...more] = await liveDials(about, campaignId);
    expect(more).toEqual([]);
    await askToDial(about, trial?.callId ?? 0);
    await answer(about, trial?.callId ?? 0);
    expect((await health())?.state).toBe('healthy');
    await run();
    expect(await liveDials(about, campaignId)).toHaveLength(5);
    expect(await leadState(about, leadIds[4] ?? 0)).toMatchObject({ attempts: 0 });
  });

  it('whose trial fails pauses twice as long', async () => {
    const { about, clock, health } = await setup();
    await fail(about, 10);
    clock.advance(30_000);
    await fail(about, 1);
    expect(await health()).toMatchObject({ state: 'paused', paused_until: '2026-01-01T00:01:30.000000Z' });
  });

  it('whose host has no address at the trial pauses twice as long, after one call', async () => {
    const { about, ctx, clock, health } = await setup();
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 5 });
    await makeLeads(about, campaignId, 5);
    await setTrunkPause(about, { until: new Date(clock.now() - 1), seconds: 30 });
    await runCampaign(ctx, campaignId);
    const { callId } = await onlyDial(about, campaignId);
    await intendFor(ctx, callId, about.fence);
    await end(about, callId, 'unreachable');
    expect(await liveDials(about, campaignId)).toEqual([]);
    expect(await health()).toMatchObject({ state: 'paused', paused_until: '2026-01-01T00:01:00.000000Z' });
  });

  it('wakes a campaign that waits for it when its trial succeeds', async () => {
    const { ctx, about, clock, trunkId, health } = await setup();
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 3 });
    await setTrunkPause(about, { until: new Date(clock.now() - 1), seconds: 30 });
    const callId = await makeDialedCall(about);
    await ctx.db.query(holdForTrunk, [campaignId, `trunk:${trunkId}`, new Date(clock.now())]);
    await ctx.db.query(forgetWake, [`campaign:${campaignId}`]);
    await answer(about, callId);
    expect((await health())?.state).toBe('healthy');
    expect(await nextLook(about, campaignId)).not.toBeNull();
  });

  it('counts an answered call once, and no call that came in', async () => {
    const { ctx, about, trunkId } = await setup();
    const callId = await makeDialedCall(about);
    await answer(about, callId);
    await end(about, callId, 'line_lost');
    const incoming = await makeDialedCall(about);
    await ctx.db.query(statement('', `update live_calls set type = 'inbound' where call_id = $1`), [
      incoming,
    ]);
    await end(about, incoming, 'unavailable');
    expect(await ctx.db.query(outcomesOf, [trunkId])).toEqual([{ callId, isFault: false }]);
  });

  it('has another log line than a trunk that carries calls again; only the latter wakes campaigns', async () => {
    const { ctx, about, clock, trunkId } = await setup();
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 3 });
    const { log, lines } = captureLog();
    const logged = { ...about, ctx: { ...ctx, log } };
    await fail(logged, 9);
    await ctx.db.query(holdForTrunk, [campaignId, `trunk:${trunkId}`, new Date(clock.now())]);
    await fail(logged, 1);
    const paused = { level: 'error', trunkId, pauseSeconds: 30 };
    expect(lines).toMatchObject([paused]);
    expect(await nextLook(about, campaignId)).toBeNull();
    clock.advance(30_000);
    await answer(logged, await makeDialedCall(about));
    expect(lines).toMatchObject([paused, { level: 'info', trunkId }]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'A SIP trunk fails most calls and is paused',
      'A SIP trunk carries calls again',
    ]);
  });

  it('on trial is not judged by the end of a call that was answered before', async () => {
    const { about, clock, health } = await setup();
    const callId = await makeDialedCall(about);
    await answer(about, callId);
    await setTrunkPause(about, { until: new Date(clock.now() - 1), seconds: 30 });
    await finishCall(about.ctx, endOf(about, callId));
    expect((await health())?.state).toBe('on-trial');
  });

  it.each(['unavailable', 'busy'] as const)('may be removed while its phone rings: %s', async (reason) => {
    const { ctx, identity, about, trunkId } = await setup();
    const callId = await makeDialedCall(about);
    await ctx.db.query(statement('', 'delete from trunks where id = $1'), [trunkId]);
    await end(about, callId, reason);
    expect(await findCall(ctx, identity, callId)).toMatchObject({ status: 'failed', ended_reason: reason });
  });

  it('is not charged with a call that ended before its INVITE', async () => {
    const { ctx, about, trunkId } = await setup();
    await end(about, await makeIntendedCall(about), 'unavailable');
    expect(await ctx.db.query(outcomesOf, [trunkId])).toEqual([]);
  });

  it('is passed over while another trunk reaches the number', async () => {
    const { about, ctx, clock, identity, trunkId } = await setup();
    const otherId = await makeTestLine(ctx, identity.userId);
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 1 });
    await makeLeads(about, campaignId, 1);
    await setTrunkPause(about, { until: new Date(clock.now() + 1_000), seconds: 30 });
    await runCampaign(ctx, campaignId);
    const [dial] = await liveDials(about, campaignId);
    const [used] = await ctx.db.query(trunkOf, [dial?.callId ?? 0]);
    expect(used?.trunkId).toBe(otherId);
    expect(used?.trunkId).not.toBe(trunkId);
  });

  it('paused between claim and INVITE: nothing leaves, no attempt', async () => {
    const { about, ctx, clock } = await setup();
    const campaignId = await makeCampaign(about, { maxCallsInParallel: 1 });
    const [leadId = 0] = await makeLeads(about, campaignId, 1);
    await runCampaign(ctx, campaignId);
    const [dial] = await liveDials(about, campaignId);
    await setTrunkPause(about, { until: new Date(clock.now() + 30_000), seconds: 30 });
    expect(await askToDial(about, dial?.callId ?? 0)).toEqual({ isAllowed: false, reason: 'trunk_paused' });
    expect(await leadState(about, leadId)).toMatchObject({ attempts: 0, round: 1 });
  });

  it('outcomes are forgotten after a while', async () => {
    const { about, ctx, clock, trunkId, health } = await setup();
    await fail(about, 9);
    clock.advance(300_001);
    await forgetOldOutcomes(ctx);
    expect(await ctx.db.query(outcomesOf, [trunkId])).toEqual([]);
    await fail(about, 9);
    expect((await health())?.state).toBe('healthy');
    await forgetOldOutcomes(ctx);
    await fail(about, 1);
    expect((await health())?.state).toBe('paused');
  });
});
