import { statement } from '@parley/db';
import { takeTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  arrangeHosted,
  DIALOG,
  endOf,
  talkedEndOf,
  killVoiceProcess,
  makeAnsweredCall,
  makeCall,
  makeDialedCall,
  makeIntendedCall,
  silenceVoiceProcess,
  waitingJobs,
} from '../../test/arrange.ts';
import { renewLease } from '../capacity/lease.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from './finish-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { findSilentProcesses, sweepCalls } from './sweep-calls.ts';

/** A sweep reads all rows, so each test has its own database. */
async function setup(arrangeCalls = arrange) {
  const database = await takeTestDatabase();
  const about = await arrangeCalls(database.db, { record_call: true });
  const { ctx, identity } = about;
  const sweep = async (hasBeenReachableForMs = 60_000) =>
    sweepCalls(ctx, { hasBeenReachableForMs, unreachable: await findSilentProcesses(ctx) });
  return { ...about, sweep, detail: (callId: number) => findCall(ctx, identity, callId) };
}

const emptyQueue = statement('', 'delete from graphile_worker._private_jobs');

describe('a voice process that died in a conversation', () => {
  it('its call ends truthfully, once, and a BYE is asked for, once', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    await Promise.all([about.sweep(), about.sweep(), about.sweep()]);
    expect(await waitingJobs(about.ctx, 'end_dialog', { callId, dialog: DIALOG })).toBe(1);
    expect(await about.detail(callId)).toMatchObject({
      status: 'ended',
      ended_by: 'system',
      ended_reason: 'process_lost',
    });
    expect(await waitingJobs(about.ctx, 'evaluate_call', { callId })).toBe(1);
  });

  it('what it still has to say is too late', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    await about.sweep();
    expect(await finishCall(about.ctx, endOf(about, callId))).toEqual({ status: 'ended', isApplied: false });
    const lease = { ...about.fence, activeCalls: 1, isDraining: false };
    expect(await renewLease(about.ctx, lease)).toBe(false);
  });

  it('a recording that was begun is heard, if there is a file', async () => {
    const about = await setup();
    const withFile = { ...about.ctx, recordings: { ...about.ctx.recordings, size: async () => 1000 } };
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    const unreachable = await findSilentProcesses(about.ctx);
    await sweepCalls(withFile, { hasBeenReachableForMs: 60_000, unreachable });
    expect((await about.detail(callId)).recording_url).toBeDefined();
  });

  it('without a file the recording is gone', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    await about.sweep();
    expect((await about.detail(callId)).recording_url).toBeUndefined();
  });
});

describe('a voice process that is only slow', () => {
  it('keeps its calls when it answers', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    await sweepCalls(about.ctx, { hasBeenReachableForMs: 60_000, unreachable: [] });
    expect((await about.detail(callId)).status).toBe('in-progress');
    const lease = { ...about.fence, activeCalls: 1, isDraining: false };
    expect(await renewLease(about.ctx, lease)).toBe(true);
  });

  it('keeps its calls when it renewed its lease while it was asked', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    const unreachable = await findSilentProcesses(about.ctx);
    await renewLease(about.ctx, { ...about.fence, activeCalls: 1, isDraining: false });
    await sweepCalls(about.ctx, { hasBeenReachableForMs: 60_000, unreachable });
    expect((await about.detail(callId)).status).toBe('in-progress');
  });

  it('an outage of the database kills no call: leases are judged only after 15 s of it', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    await about.sweep(14_999);
    expect((await about.detail(callId)).status).toBe('in-progress');
    await about.sweep(15_000);
    expect((await about.detail(callId)).status).toBe('ended');
  });
});

describe('a voice process that died before the answer', () => {
  it('after the INVITE: the attempt failed', async () => {
    const about = await setup();
    const callId = await makeDialedCall(about);
    await killVoiceProcess(about.ctx, about.fence);
    await about.sweep();
    expect(await about.detail(callId)).toMatchObject({ status: 'failed', ended_reason: 'process_lost' });
  });

  it('while the phone rings: BYE ends the early dialog, once', async () => {
    const about = await setup();
    const callId = await makeDialedCall(about);
    const at = new Date(about.clock.now());
    const { ctx, fence } = about;
    await recordCallEvent(ctx, { callId, event: 'ringing', at, dialog: DIALOG, fence });
    await killVoiceProcess(ctx, fence);
    await Promise.all([about.sweep(), about.sweep()]);
    expect(await waitingJobs(ctx, 'end_dialog', { callId, dialog: DIALOG })).toBe(1);
    expect(await about.detail(callId)).toMatchObject({ status: 'failed', ended_reason: 'process_lost' });
  });

  it('before the INVITE: the call is dialed by another', async () => {
    const about = await setup();
    const callId = await makeIntendedCall(about);
    await about.ctx.db.query(emptyQueue);
    await killVoiceProcess(about.ctx, about.fence);
    await about.sweep();
    expect((await about.detail(callId)).status).toBe('initiated');
    expect(await waitingJobs(about.ctx, 'dial_call', { callId })).toBe(1);
  });
});

describe('what was forgotten', () => {
  it('a dial whose job was lost is enqueued again', async () => {
    const about = await setup();
    const callId = await makeCall(about);
    await about.ctx.db.query(emptyQueue);
    await about.sweep();
    expect(await waitingJobs(about.ctx, 'dial_call', { callId })).toBe(0);
    about.clock.advance(30_001);
    await about.sweep();
    await about.sweep();
    expect(await waitingJobs(about.ctx, 'dial_call', { callId })).toBe(1);
  });

  it('a call whose evaluation never came is completed a minute after hang-up', async () => {
    const about = await setup(arrangeHosted);
    const callId = await makeAnsweredCall(about);
    await finishCall(about.ctx, talkedEndOf(about, callId));
    about.clock.advance(60_000);
    await about.sweep();
    expect((await about.detail(callId)).status).toBe('ended_by_customer');
    about.clock.advance(1);
    await about.sweep();
    const call = await about.detail(callId);
    expect(call).toMatchObject({ status: 'completed', evaluation: { status: null, summary: null } });
    expect(call.events).toContainEqual(
      expect.objectContaining({ type: 'evaluation_skipped', detail: { reason: 'timed_out' } }),
    );
  });
});
