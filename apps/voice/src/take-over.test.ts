/** A process goes on with the calls of a lost one, or ends them truthfully. */
import { randomUUID } from 'node:crypto';
import { loadCallForVoice, registerVoiceProcess, storeCallProgress } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeLostCall, storedProgress } from '../test/arrange-lost-call.ts';
import { transcript } from '../test/arrange-session.ts';
import { storedEnd, timeline } from '../test/arrange-voice.ts';
import { NOT_TALKING } from './call-session-options.ts';
import { CallSupervision } from './supervision/call-supervision.ts';
import { takeOverFrom } from './take-over.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };
const OPERATOR = { by: 'operator', reason: 'hang_up_requested' } as const;
const giveTo = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');
const removeTrunk = statement('', 'update live_calls set trunk_id = null where call_id = $1');
const makeInbound = statement('', `update live_calls set type = 'inbound' where call_id = $1`);

const GOES_ON = 'Calls of a lost voice process go on in this one';
const CANNOT_GO_ON = 'A call of a lost process cannot go on';

async function setup() {
  const about = await arrangeLostCall(database.db);
  const { processId } = about.lost;
  const endedAt = new Date(about.clock.now());
  const takeOver = () => takeOverFrom(about.voice, { processId, endedAt });
  const resumed = async () => {
    const next = about.endpoint.nextDial();
    expect(await takeOver()).toBe(1);
    return next;
  };
  /** The call goes on here, and its assistant speaks again. */
  const talking = async () => {
    const leg = await resumed();
    await about.clock.advanceAsync(400, 400);
    leg.answerAtFarEnd();
    for (let frame = 0; frame < 200; frame += 1) {
      await about.clock.advanceAsync(20, 20);
      leg.media.passFrame();
    }
    return leg;
  };
  const isOver = async () => (await storedEnd(about.core, about.callId))?.isLive === false;
  /** The lines of the log about calls that go on here, or cannot. */
  const logged = () =>
    about.log.filter(({ msg }) => [GOES_ON, CANNOT_GO_ON].includes(msg)).map(({ msg }) => msg);
  return { ...about, takeOver, resumed, talking, isOver, logged };
}

describe('a call of a lost process', () => {
  it('goes on: the record joins what was said before and after', async () => {
    const { core, callId, resumed, clock, endpoint, progress, voice, log } = await setup();
    const leg = await resumed();
    expect(log).toContainEqual(expect.objectContaining({ msg: GOES_ON, calls: 1 }));
    expect(endpoint.resumed[0]).toMatchObject({ direction: 'outbound', dialog: { localSequence: 101 } });
    expect(voice.calls.ids).toEqual([callId]);
    expect(voice.calls.free).toBe(voice.calls.capacity - 1);
    await clock.advanceAsync(400, 400);
    leg.answerAtFarEnd();
    for (let frame = 0; frame < 600; frame += 1) {
      await clock.advanceAsync(20, 20);
      leg.media.passFrame();
    }
    leg.hangUpAtFarEnd();
    await expect.poll(async () => (await storedEnd(core, callId))?.isLive, POLL).toBe(false);
    const lines = await timeline(core, callId);
    const silent = lines.find(({ type }) => type === 'process_replaced')?.detail['silent_ms'];
    expect(silent).toBe(400);
    const [record] = await transcript(core, callId);
    expect(record?.transcript.startsWith(`${progress.transcript}\nAI: I am sorry, the line was`)).toBe(true);
    expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'customer_hung_up' });
    expect(voice.calls.ids).toEqual([]);
  });

  it('ends as lost when the far end refuses, and keeps what was said', async () => {
    const { core, callId, resumed, progress } = await setup();
    const leg = await resumed();
    leg.end({ cause: 'line-lost', sipStatus: 488, detail: 'Refused' });
    await expect.poll(async () => (await storedEnd(core, callId))?.isLive, POLL).toBe(false);
    expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'process_lost' });
    expect((await transcript(core, callId))[0]?.transcript).toBe(progress.transcript);
  });

  it('ends as hung up when the far end has hung up meanwhile', async () => {
    const { core, callId, resumed } = await setup();
    const leg = await resumed();
    leg.hangUpAtFarEnd();
    await expect
      .poll(() => storedEnd(core, callId), POLL)
      .toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
  });

  it('ends as lost when its assistant cannot speak, and the far end gets BYE', async () => {
    const { core, callId, resumed, engines, logged } = await setup();
    engines.fault = new Error('No voice');
    const leg = await resumed();
    await expect
      .poll(() => storedEnd(core, callId), POLL)
      .toMatchObject({ endedReason: 'process_lost', isLive: false });
    expect(leg.requests).toContain('hang-up');
    expect(logged()).toEqual([GOES_ON, CANNOT_GO_ON]);
  });

  it('ends as lost when its trunk was removed', async () => {
    const { core, callId, takeOver, endpoint, voice, log } = await setup();
    await core.db.query(removeTrunk, [callId]);
    expect(await takeOver()).toBe(1);
    await voice.background.settled();
    expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'process_lost', isLive: false });
    expect(endpoint.resumed).toEqual([]);
    const err = expect.objectContaining({ message: 'The trunk of a call was removed' });
    expect(log).toContainEqual(expect.objectContaining({ msg: CANNOT_GO_ON, callId, err }));
  });

  it('stays with its process where no slot is free', async () => {
    const { takeOver, voice, logged } = await setup();
    while (voice.calls.reserve()) continue;
    expect(await takeOver()).toBe(0);
    expect(voice.calls.ids).toEqual([]);
    expect(logged()).toEqual([]);
  });

  it('can be supervised and transferred once its conversation goes on', async () => {
    const { callId, takeOver, voice, engines, clock, isOver, endpoint } = await setup();
    const next = endpoint.nextDial();
    const forCall = engines.forCall.bind(engines);
    const before: unknown[] = [];
    engines.forCall = (...input) => {
      const opening = voice.calls.find(callId);
      before.push(opening?.state(), opening?.supervision?.(), opening?.transfer?.('Ann'));
      return forCall(...input);
    };
    expect(await takeOver()).toBe(1);
    const leg = await next;
    await clock.advanceAsync(400, 400);
    leg.answerAtFarEnd();
    const call = voice.calls.find(callId);
    await expect.poll(() => call?.state(), POLL).toBe('talking');
    expect(before).toEqual(['opening', null, NOT_TALKING]);
    expect(call?.supervision?.()).toBeInstanceOf(CallSupervision);
    expect(call?.transfer?.('Ann')).not.toBe(NOT_TALKING);
    leg.hangUpAtFarEnd();
    await expect.poll(isOver, POLL).toBe(true);
  });

  it('goes on from the side that was called, if it came in', async () => {
    const { core, callId, resumed, endpoint, isOver } = await setup();
    const { assistantPhoneNumber: to, clientPhoneNumber: from } = await loadCallForVoice(core, callId);
    await core.db.query(makeInbound, [callId]);
    const leg = await resumed();
    expect(endpoint.resumed[0]).toMatchObject({ direction: 'inbound', from, to });
    leg.hangUpAtFarEnd();
    await expect.poll(isOver, POLL).toBe(true);
  });

  it('is paid for as a whole: what the lost process has used is added', async () => {
    const { core, callId, talking, progress, lost, isOver } = await setup();
    const resource = { name: 'Fake voice', providerId: null };
    const used = [
      { ...resource, stage: 'voice', unit: 'character', quantity: 120, isEstimated: false } as const,
    ];
    await storeCallProgress(core, { callId, fence: lost, progress: { ...progress, used } });
    const leg = await talking();
    const stored = async () => (await storedProgress(core, callId))?.used;
    await expect.poll(stored, POLL).toContainEqual(expect.objectContaining({ quantity: 120 }));
    leg.hangUpAtFarEnd();
    await expect.poll(isOver, POLL).toBe(true);
  });

  it('has the times of its turns, and what its assistant noted, from its answer on', async () => {
    const { core, callId, talking, progress, lost, isOver } = await setup();
    const variables = { name: 'Ann' };
    await storeCallProgress(core, { callId, fence: lost, progress: { ...progress, variables } });
    const leg = await talking();
    const stored = () => storedProgress(core, callId);
    const last = async () => (await stored())?.turns.at(-1);
    await expect.poll(async () => (await last())?.text, POLL).toContain('I am sorry, the line was');
    // Three seconds before the process was lost, and the silence.
    expect((await last())?.startMs).toBeGreaterThanOrEqual(3_400);
    expect((await last())?.startMs).toBeLessThan(7_400);
    expect(await stored()).toMatchObject({ variables });
    leg.hangUpAtFarEnd();
    await expect.poll(isOver, POLL).toBe(true);
  });

  it('falls silent without a hang-up when yet another process goes on with it', async () => {
    const { core, callId, talking, voice } = await setup();
    const leg = await talking();
    await core.db.query(giveTo, [callId, randomUUID()]);
    voice.calls.find(callId)?.abandon?.();
    expect(leg.requests).toEqual(['abandon']);
    await voice.background.settled();
    expect(await storedEnd(core, callId)).toMatchObject({ isLive: true });
  });

  it('is not resumed when it is to be ended before that', async () => {
    const { core, callId, takeOver, voice, endpoint, logged } = await setup();
    expect(await takeOver()).toBe(1);
    voice.calls.find(callId)?.hangUp(OPERATOR);
    await voice.background.settled();
    expect(endpoint.resumed).toEqual([]);
    expect(logged()).toEqual([GOES_ON]);
    expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'process_lost', isLive: false });
  });

  it('is not resumed when another process takes it before that', async () => {
    const { core, callId, takeOver, voice, endpoint } = await setup();
    const other = await registerVoiceProcess(core, {
      url: `http://other-${callId}.test`,
      sipAddress: '127.0.0.1:5060',
      capacity: 5,
    });
    const isGiven = Promise.withResolvers<void>();
    const start = voice.background.start.bind(voice.background);
    voice.background.start = (what, work) =>
      start(what, async () => {
        await isGiven.promise;
        await work();
      });
    expect(await takeOver()).toBe(1);
    await core.db.query(giveTo, [callId, other.processId]);
    voice.calls.find(callId)?.abandon?.();
    isGiven.resolve();
    await voice.background.settled();
    expect(endpoint.resumed).toEqual([]);
    expect(await storedEnd(core, callId)).toMatchObject({ isLive: true });
  });

  it.each(['while its assistant is prepared', 'before the far end accepts the media'])(
    'falls silent without a hang-up when yet another process takes it %s',
    async (when) => {
      const { core, callId, takeOver, voice, engines, endpoint } = await setup();
      const abandon = () => voice.calls.find(callId)?.abandon?.();
      const dialed = endpoint.nextDial();
      const forCall = engines.forCall.bind(engines);
      const isPrepared = Promise.withResolvers<void>();
      engines.forCall = (...input) => {
        if (when.includes('prepared')) abandon();
        isPrepared.resolve();
        return forCall(...input);
      };
      expect(await takeOver()).toBe(1);
      await core.db.query(giveTo, [callId, randomUUID()]);
      const leg = await dialed;
      await isPrepared.promise;
      if (when.includes('accepts')) {
        await expect.poll(() => voice.calls.find(callId)?.supervision?.(), POLL).not.toBeNull();
        abandon();
      }
      await voice.background.settled();
      expect(new Set(leg.requests)).toEqual(new Set(['abandon']));
      expect(await storedEnd(core, callId)).toMatchObject({ isLive: true });
    },
  );

  it('is hung up when that is asked for while its assistant is prepared', async () => {
    const { callId, resumed, voice, engines, isOver } = await setup();
    const forCall = engines.forCall.bind(engines);
    engines.forCall = (...input) => {
      voice.calls.find(callId)?.hangUp(OPERATOR);
      return forCall(...input);
    };
    const leg = await resumed();
    await expect.poll(isOver, POLL).toBe(true);
    expect(leg.requests).toContain('hang-up');
  });
});
