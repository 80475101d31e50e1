/** A process goes on with the calls of a lost one, or ends them truthfully. */
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeLostCall } from '../test/arrange-lost-call.ts';
import { transcript } from '../test/arrange-session.ts';
import { storedEnd, timeline } from '../test/arrange-voice.ts';
import { takeOverFrom } from './take-over.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };

async function setup() {
  const about = await arrangeLostCall(database.db);
  const { processId } = about.lost;
  const endedAt = new Date(about.clock.now());
  const takeOver = () => takeOverFrom(about.voice, { processId, endedAt });
  const resumed = async () => {
    const next = about.line.nextDial();
    expect(await takeOver()).toBe(1);
    return next;
  };
  return { ...about, takeOver, resumed };
}

describe('a call of a lost process', () => {
  it('goes on: the record joins what was said before and after', async () => {
    const { core, callId, resumed, clock, line, progress, voice } = await setup();
    const leg = await resumed();
    expect(line.resumed[0]).toMatchObject({ direction: 'outbound', dialog: { localSequence: 101 } });
    expect(voice.calls.ids).toEqual([callId]);
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
    const { core, callId, resumed, engines } = await setup();
    engines.fault = new Error('No voice');
    const leg = await resumed();
    await expect
      .poll(() => storedEnd(core, callId), POLL)
      .toMatchObject({ endedReason: 'process_lost', isLive: false });
    expect(leg.requests).toContain('hang-up');
  });

  it('stays with its process where there is no room', async () => {
    const { takeOver, voice } = await setup();
    while (voice.calls.reserve()) continue;
    expect(await takeOver()).toBe(0);
    expect(voice.calls.ids).toEqual([]);
  });
});
