import { authorizeDial, addToDoNotCallList, requestHangUp, type CoreContext } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { storedProgress } from '../test/arrange-lost-call.ts';
import {
  arrangeVoice,
  freshNumber,
  placeOutboundCall,
  storedEnd,
  timeline,
  type VoiceOptions,
} from '../test/arrange-voice.ts';
import { dialCall } from './outbound-call.ts';

const database = useTestDatabase();
/** Until the next turn of a paced trunk. */
const TURN_MS = 3_600_000;
const giveAway = statement(
  '',
  'update live_calls set voice_process_id = gen_random_uuid() where call_id = $1',
);
const OPERATOR = { by: 'operator', reason: 'hang_up_requested' } as const;

async function setup(options: VoiceOptions = {}) {
  const about = await arrangeVoice(database.db, options);
  const to = freshNumber();
  const callId = await placeOutboundCall(about, { phoneNumber: to });
  const { voice, core, endpoint, log } = about;
  /** Resolves when the call has left this process. */
  const dialToEnd = async (): Promise<void> => {
    dialCall(voice, callId);
    await voice.background.settled();
  };
  /** Resolves with the leg, once the INVITE has left. */
  const dialToLeg = async () => {
    const dialed = endpoint.nextDial();
    dialCall(voice, callId);
    return dialed;
  };
  const messages = () => log.map(({ msg }) => msg);
  return {
    ...about,
    to,
    callId,
    dialToEnd,
    dialToLeg,
    messages,
    end: () => storedEnd(core, callId),
    events: async () => (await timeline(core, callId)).map(({ type }) => type),
  };
}

/** Checks that no INVITE was sent and that the slot is free. */
async function expectNoDial({ endpoint, voice, engines, clock }: Awaited<ReturnType<typeof setup>>) {
  expect(endpoint.dialed).toEqual([]);
  expect(voice.calls.size).toBe(0);
  expect(engines.released).toBe(engines.opened);
  expect(clock.pendingTimers()).toBe(0);
}

describe('permission to dial', () => {
  it('is given by core before the INVITE leaves', async () => {
    const { voice, dialToLeg, to, callId, endpoint, core } = await setup();
    const leg = await dialToLeg();
    const again = await authorizeDial(core, { callId, fence: voice.lease.fence() });
    expect(again).toEqual({ isAllowed: false, reason: 'already_sent' });
    expect(endpoint.dialed).toEqual([
      {
        from: '+12025550100',
        to,
        sipCallId: leg.id,
        trunk: {
          host: '127.0.0.1',
          port: 9,
          otherHosts: [],
          transport: 'udp',
          isTrusted: true,
          dtmf: 'auto',
          writeNumber: expect.any(Function) as unknown,
          callerHeader: 'from',
          isTlsVerified: true,
          encryption: 'none',
        },
        targets: [{ host: '127.0.0.1', port: 9, address: '127.0.0.1', addressPort: 9, source: 'host' }],
        ringTimeoutMs: 45_000,
      },
    ]);
    await leg.hangUp();
    await voice.background.settled();
  });

  it('is refused for a number that was put on the do-not-call list', async () => {
    const about = await setup();
    await addToDoNotCallList(about.core, about.identity, { phoneNumber: about.to });
    await about.dialToEnd();
    await expectNoDial(about);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'do_not_call', isLive: false });
  });

  it('is refused for a number that was put on the list while the host of the trunk was resolved', async () => {
    const about = await setup();
    about.endpoint.onLookup = async () => {
      await addToDoNotCallList(about.core, about.identity, { phoneNumber: about.to });
    };
    await about.dialToEnd();
    await expectNoDial(about);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'do_not_call', isLive: false });
  });

  it('is not asked for when the host of the trunk has no address', async () => {
    const about = await setup();
    about.endpoint.onLookup = () => Promise.reject(new Error('The host name has no address'));
    await about.dialToEnd();
    await expectNoDial(about);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'unreachable', isLive: false });
    expect(await about.events()).not.toContain('dialed');
    expect(about.messages()).toContain('The host of a trunk could not be resolved');
  });

  it('is refused for a call that belongs to another process, whose record stays untouched', async () => {
    const about = await setup();
    await about.core.db.query(giveAway, [about.callId]);
    await about.dialToEnd();
    await expectNoDial(about);
    expect(await about.end()).toMatchObject({ status: 'initiated', isLive: true });
  });

  it('is refused once a hang-up was requested', async () => {
    const about = await setup();
    await requestHangUp(about.core, about.identity, about.callId);
    await about.dialToEnd();
    await expectNoDial(about);
    expect((await about.end())?.status).toBe('failed');
  });

  it('is not given twice: a repeated hand-over dials nothing', async () => {
    const about = await setup();
    const leg = await about.dialToLeg();
    dialCall(about.voice, about.callId);
    await expect.poll(about.messages, { timeout: 10_000 }).toContain('Core refused permission to dial');
    expect(about.endpoint.dialed).toHaveLength(1);
    await leg.hangUp();
    await about.voice.background.settled();
  });

  it('is requested again when the trunk may begin its next call', async () => {
    const about = await setup();
    await pace(about.core, about.callId);
    dialCall(about.voice, about.callId);
    await expect.poll(() => about.clock.pendingTimers(), { timeout: 10_000 }).toBe(1);
    expect(about.endpoint.dialed).toEqual([]);
    await unpace(about.core);
    const dialed = about.endpoint.nextDial();
    about.clock.advance(TURN_MS);
    const leg = await dialed;
    await leg.hangUp();
    await about.voice.background.settled();
  });

  it('is not requested again for a call that was ended while it waited for its trunk', async () => {
    const about = await setup();
    await pace(about.core, about.callId);
    dialCall(about.voice, about.callId);
    await expect.poll(() => about.clock.pendingTimers(), { timeout: 10_000 }).toBe(1);
    about.voice.calls.find(about.callId)?.hangUp(OPERATOR);
    await unpace(about.core);
    about.clock.advance(TURN_MS);
    await about.voice.background.settled();
    await expectNoDial(about);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
  });
});

describe('an outbound call', () => {
  it('occupies a slot from the hand-over until its end is stored', async () => {
    const { voice, callId, dialToLeg, end } = await setup();
    const dialed = dialToLeg();
    expect(voice.calls.find(callId)?.state()).toBe('opening');
    const leg = await dialed;
    leg.ringAtFarEnd();
    await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('ringing');
    leg.answerAtFarEnd();
    expect(voice.calls.find(callId)?.state()).toBe('talking');
    leg.hangUpAtFarEnd();
    expect(voice.calls.size).toBe(1);
    await voice.background.settled();
    expect(voice.calls.size).toBe(0);
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
  });

  it('is not dialed after a request to end it', async () => {
    const about = await setup();
    dialCall(about.voice, about.callId);
    about.voice.calls.find(about.callId)?.hangUp(OPERATOR);
    await about.voice.background.settled();
    await expectNoDial(about);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
  });

  it('ends with the reason of the first request', async () => {
    const { voice, callId, dialToLeg, end } = await setup();
    const leg = await dialToLeg();
    voice.calls.find(callId)?.hangUp(OPERATOR);
    voice.calls.find(callId)?.hangUp({ by: 'system', reason: 'shutdown' });
    await voice.background.settled();
    expect(leg.requests).toContain('hang-up');
    expect(await end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
  });

  it('is hung up when that is asked for while its assistant is prepared', async () => {
    const about = await setup();
    const forCall = about.engines.forCall.bind(about.engines);
    about.engines.forCall = (...input) => {
      about.voice.calls.find(about.callId)?.hangUp(OPERATOR);
      return forCall(...input);
    };
    const leg = await about.dialToLeg();
    await about.voice.background.settled();
    expect(leg.requests).toEqual(['hang-up']);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'hang_up_requested', isLive: false });
  });

  it('can be supervised and transferred once it has a session', async () => {
    const { voice, callId, dialToLeg } = await setup();
    const dialed = dialToLeg();
    const call = voice.calls.find(callId);
    expect(call?.supervision?.()).toBeNull();
    expect(call?.transfer?.('Ann')).toBe('The customer and the assistant are not talking.');
    const leg = await dialed;
    leg.answerAtFarEnd();
    expect(call?.supervision?.()?.issueTicket('listen', false)).toHaveProperty('ticket');
    expect(call?.transfer?.('Ann')).toBe('This assistant has no such destination.');
    leg.hangUpAtFarEnd();
    await voice.background.settled();
  });

  it('falls silent without a hang-up when another process goes on with it', async () => {
    const { voice, core, callId, dialToLeg, end } = await setup();
    const leg = await dialToLeg();
    leg.answerAtFarEnd();
    // It is stored after the answer.
    await expect.poll(() => storedProgress(core, callId), { timeout: 10_000 }).toBeDefined();
    await core.db.query(giveAway, [callId]);
    voice.calls.find(callId)?.abandon?.();
    await voice.background.settled();
    expect(leg.requests).toEqual(['abandon']);
    expect(await end()).toMatchObject({ status: 'in-progress', isLive: true });
  });

  it('rings no phone when its assistant cannot speak', async () => {
    const about = await setup();
    about.engines.fault = new Error('no such voice');
    await about.dialToEnd();
    await expectNoDial(about);
    expect(await about.events()).not.toContain('dialed');
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'internal_error', isLive: false });
    expect(about.messages()).toContain('An outbound call could not be opened');
  });

  it('is recorded as failed when its trunk was removed', async () => {
    const about = await setup();
    await about.core.db.query(statement('', 'update live_calls set trunk_id = null where call_id = $1'), [
      about.callId,
    ]);
    await about.dialToEnd();
    await expectNoDial(about);
    expect(about.engines.opened).toBe(0);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'no_line', isLive: false });
  });

  it('is recorded as failed when the SIP stack refuses it', async () => {
    const about = await setup();
    about.endpoint.fault = new Error('The SIP endpoint is not started');
    await about.dialToEnd();
    expect(about.voice.calls.size).toBe(0);
    expect(about.engines.released).toBe(1);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'internal_error', isLive: false });
  });

  it('is hung up when its session cannot be made', async () => {
    const about = await setup();
    about.engines.conversationFault = new Error('The conversation failed on purpose');
    const leg = await about.dialToLeg();
    await about.voice.background.settled();
    expect(leg.requests).toEqual(['hang-up']);
    expect(about.voice.calls.size).toBe(0);
    expect(about.engines.released).toBe(1);
    expect(await about.end()).toEqual({ status: 'failed', endedReason: 'internal_error', isLive: false });
  });

  it('that ended before it was loaded is not dialed', async () => {
    const about = await setup();
    await about.core.db.query(statement('', 'delete from live_calls where call_id = $1'), [about.callId]);
    await about.dialToEnd();
    await expectNoDial(about);
    expect(about.messages()).not.toContain('An outbound call could not be opened');
  });

  it('that failed keeps its slot until the failure is stored', async () => {
    const about = await setup();
    about.engines.fault = new Error('no such voice');
    const { db } = about.core;
    const transaction = db.transaction.bind(db);
    let isAway = true;
    db.transaction = async (work) => {
      if (isAway) throw new Error('Connection terminated unexpectedly');
      return transaction(work);
    };
    dialCall(about.voice, about.callId);
    await expect.poll(() => about.clock.pendingTimers(), { timeout: 10_000 }).toBe(1);
    expect(about.voice.calls.size).toBe(1);
    isAway = false;
    about.clock.advance(10_000);
    await about.voice.background.settled();
    expect(about.voice.calls.size).toBe(0);
    expect(await about.end()).toMatchObject({ status: 'failed', endedReason: 'internal_error' });
  });
});

/** Marks the trunk of a call as having just begun another call. */
async function pace(core: CoreContext, callId: number): Promise<void> {
  await core.db.query(
    statement(
      '',
      `update trunks set max_cps = 1, next_invite_at = now() + interval '1 hour'
       where id = (select trunk_id from live_calls where call_id = $1)`,
    ),
    [callId],
  );
}

async function unpace(core: CoreContext): Promise<void> {
  await core.db.query(statement('', 'update trunks set next_invite_at = null, max_cps = null'));
}
