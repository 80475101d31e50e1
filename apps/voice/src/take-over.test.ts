/** A process goes on with the calls of a lost one, or ends them truthfully. */
import { storeCallProgress, registerVoiceProcess, type CallProgress } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeSession, transcript } from '../test/arrange-session.ts';
import { storedEnd, timeline } from '../test/arrange-voice.ts';
import { takeOverFrom } from './take-over.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };
const giveTo = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');
const dropCall = statement('', `update live_calls set call_id = call_id where call_id = $1`);

/** A call in conversation that a process has held until it was killed. */
async function setup() {
  const about = await arrangeSession(database.db, { assistant: { record_call: false } });
  const { core, callId, answer, talk, leg } = about;
  answer();
  await expect.poll(async () => (await storedEnd(core, callId))?.status, POLL).toBe('in-progress');
  await talk(3_000);
  const progress = await storedProgress(about, callId);
  const lost = await registerVoiceProcess(core, {
    url: `http://lost-${callId}.test`,
    sipAddress: '127.0.0.1:5060',
    capacity: 5,
  });
  // The killed process writes and sends nothing more.
  await core.db.query(giveTo, [callId, lost.processId]);
  await storeCallProgress(core, { callId, fence: lost, progress });
  leg.abandon();
  await about.session.finished;
  const endedAt = new Date(about.clock.now());
  const takeOver = () => takeOverFrom(about.voice, { processId: lost.processId, endedAt });
  const resumed = async () => {
    const next = about.line.nextDial();
    expect(await takeOver()).toBe(1);
    return next;
  };
  return { ...about, progress, takeOver, resumed };
}

type Arranged = Awaited<ReturnType<typeof arrangeSession>>;

async function storedProgress({ core }: Arranged, callId: number): Promise<CallProgress> {
  const select = statement<{ sealed: string }>(
    '',
    `select progress->>'sealed' as sealed from call_progress where call_id = $1`,
  );
  const read = async (): Promise<CallProgress | null> => {
    const [row] = await core.db.query(select, [callId]);
    return row ? (JSON.parse(core.secretBox.open(row.sealed)) as CallProgress) : null;
  };
  await expect.poll(async () => (await read())?.transcript, POLL).toMatch(/^AI: /);
  const progress = await read();
  if (!progress) throw new Error('Nothing was stored');
  return progress;
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
    const { callId, takeOver, voice, core } = await setup();
    while (voice.calls.reserve()) continue;
    expect(await takeOver()).toBe(0);
    await core.db.query(dropCall, [callId]);
    expect(voice.calls.ids).toEqual([]);
  });
});
