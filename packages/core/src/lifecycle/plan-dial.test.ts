import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it, beforeEach } from 'vitest';
import {
  arrange,
  freshNumber,
  killVoiceProcess,
  makeAnsweredCall,
  makeCall,
  makeDialedCall,
  makeVoiceProcess,
  silenceVoiceProcess,
} from '../../test/arrange.ts';
import { authorizeDial } from './authorize-dial.ts';
import { findCall } from '../calls/find-call.ts';
import { planDial, releaseIntent, type DialPlan } from './plan-dial.ts';

const database = useTestDatabase();

beforeEach(async () => {
  await database.db.query(statement('', 'delete from voice_processes'));
});

const setup = () => arrange(database.db);

function processOf(plan: DialPlan): string | null {
  return plan.do === 'hand-over' ? plan.process.id : null;
}

describe('planning a dial', () => {
  it('hands the call over to a voice process, and to the same one when asked again', async () => {
    const about = await setup();
    const callId = await makeCall(about);
    const plan = await planDial(about.ctx, callId);
    expect(plan).toMatchObject({
      do: 'hand-over',
      callId,
      process: { id: about.fence.processId },
    });
    await makeVoiceProcess(about.ctx);
    expect(await planDial(about.ctx, callId)).toEqual(plan);
  });

  it('many at once agree on one process', async () => {
    const about = await setup();
    for (let more = 0; more < 3; more++) await makeVoiceProcess(about.ctx);
    const callId = await makeCall(about);
    const plans = await Promise.all(Array.from({ length: 8 }, () => planDial(about.ctx, callId)));
    expect(new Set(plans.map(processOf)).size).toBe(1);
    expect(processOf(plans[0] as DialPlan)).not.toBeNull();
  });

  it('spreads calls over the processes', async () => {
    const about = await setup();
    const other = await makeVoiceProcess(about.ctx);
    const plans: DialPlan[] = [];
    for (let calls = 0; calls < 4; calls++)
      plans.push(await planDial(about.ctx, await makeCall(about, freshNumber())));
    const chosen = plans.map(processOf);
    expect(chosen.filter((id) => id === other.processId)).toHaveLength(2);
    expect(chosen.filter((id) => id === about.fence.processId)).toHaveLength(2);
  });

  it('waits while every process is full, draining or silent', async () => {
    const about = await setup();
    await killVoiceProcess(about.ctx, about.fence);
    const callId = await makeCall(about);
    expect(await planDial(about.ctx, callId)).toMatchObject({ do: 'wait' });

    const full = await makeVoiceProcess(about.ctx, 1);
    const first = await makeCall(about);
    expect(processOf(await planDial(about.ctx, first))).toBe(full.processId);
    expect(await planDial(about.ctx, callId)).toMatchObject({ do: 'wait' });

    const silent = await makeVoiceProcess(about.ctx);
    await silenceVoiceProcess(about.ctx, silent);
    const draining = await makeVoiceProcess(about.ctx);
    await about.ctx.db.query(statement('', 'update voice_processes set is_draining = true where id = $1'), [
      draining.processId,
    ]);
    expect(await planDial(about.ctx, callId)).toMatchObject({ do: 'wait' });
  });

  it('gives a call up that found no process for two minutes', async () => {
    const about = await setup();
    await killVoiceProcess(about.ctx, about.fence);
    const callId = await makeCall(about);
    about.clock.advance(120_000);
    expect(await planDial(about.ctx, callId)).toMatchObject({ do: 'nothing' });
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'no_capacity',
    });
  });

  it('a process that will not take the call is passed over for another', async () => {
    const about = await setup();
    const callId = await makeCall(about);
    await planDial(about.ctx, callId);
    const other = await makeVoiceProcess(about.ctx);
    await makeCall(about).then((id) => planDial(about.ctx, id));
    await releaseIntent(about.ctx, callId, about.fence.processId);
    await killVoiceProcess(about.ctx, about.fence);
    expect(processOf(await planDial(about.ctx, callId))).toBe(other.processId);
  });

  it('an intent cannot be released once the INVITE has left, nor by naming another process', async () => {
    const about = await setup();
    const callId = await makeDialedCall(about);
    await releaseIntent(about.ctx, callId, about.fence.processId);
    expect(await authorizeDial(about.ctx, { callId, fence: about.fence })).toEqual({
      isAllowed: false,
      reason: 'already_sent',
    });

    const unsent = await makeCall(about);
    const plan = await planDial(about.ctx, unsent);
    await releaseIntent(about.ctx, unsent, '00000000-0000-0000-0000-000000000000');
    expect(await planDial(about.ctx, unsent)).toEqual(plan);
  });
});

describe('a voice process that died', () => {
  it('before the INVITE: another process makes the attempt', async () => {
    const about = await setup();
    const callId = await makeCall(about);
    await planDial(about.ctx, callId);
    await killVoiceProcess(about.ctx, about.fence);
    const other = await makeVoiceProcess(about.ctx);
    expect(processOf(await planDial(about.ctx, callId))).toBe(other.processId);
    const dead = { callId, fence: about.fence };
    expect(await authorizeDial(about.ctx, dead)).toEqual({ isAllowed: false, reason: 'fenced' });
  });

  it('after the INVITE: the attempt was made, and there is no second one', async () => {
    const about = await setup();
    const callId = await makeDialedCall(about);
    await killVoiceProcess(about.ctx, about.fence);
    await makeVoiceProcess(about.ctx);
    expect(await planDial(about.ctx, callId)).toEqual({ do: 'nothing', why: 'process_lost' });
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'process_lost',
    });
    expect(await planDial(about.ctx, callId)).toMatchObject({ do: 'nothing' });
  });

  it('silent after the INVITE: the sweep will ask it, the dial leaves it alone', async () => {
    const about = await setup();
    const callId = await makeDialedCall(about);
    await silenceVoiceProcess(about.ctx, about.fence);
    expect(await planDial(about.ctx, callId)).toMatchObject({ do: 'nothing' });
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({ status: 'initiated' });
  });

  it('an answered call is left to the sweep', async () => {
    const about = await setup();
    const callId = await makeAnsweredCall(about);
    await killVoiceProcess(about.ctx, about.fence);
    await planDial(about.ctx, callId);
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({ status: 'in-progress' });
  });
});
