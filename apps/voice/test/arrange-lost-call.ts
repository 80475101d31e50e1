/** A call in conversation whose voice process was killed. */
import { registerVoiceProcess, storeCallProgress, type CallProgress, type CoreContext } from '@parley/core';
import { statement, type Db } from '@parley/db';
import { expect } from 'vitest';
import { arrangeSession } from './arrange-session.ts';
import { storedEnd } from './arrange-voice.ts';

const POLL = { timeout: 10_000 };
const giveTo = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');
const selectSealed = statement<{ sealed: string }>(
  '',
  `select progress->>'sealed' as sealed from call_progress where call_id = $1`,
);

/** @param url - of the killed process */
export async function arrangeLostCall(db: Db, url?: string) {
  const about = await arrangeSession(db, { assistant: { record_call: false } });
  const { core, callId, answer, talk, leg } = about;
  answer();
  await expect.poll(async () => (await storedEnd(core, callId))?.status, POLL).toBe('in-progress');
  await talk(3_000);
  const stored = () => storedProgress(core, callId);
  await expect.poll(async () => (await stored())?.transcript, POLL).toMatch(/^AI: /);
  const progress = await stored();
  if (!progress) throw new Error('Nothing was stored');
  const lost = await registerVoiceProcess(core, {
    url: url ?? `http://lost-${callId}.test`,
    sipAddress: '127.0.0.1:5060',
    capacity: 5,
  });
  // The killed process writes and sends nothing more.
  await core.db.query(giveTo, [callId, lost.processId]);
  await storeCallProgress(core, { callId, fence: lost, progress });
  leg.abandon();
  await about.session.finished;
  return { ...about, progress, lost };
}

/** What a live call has stored for another process; undefined: nothing. */
export async function storedProgress(core: CoreContext, callId: number): Promise<CallProgress | undefined> {
  const [row] = await core.db.query(selectSealed, [callId]);
  return row && (JSON.parse(core.secretBox.open(row.sealed)) as CallProgress);
}
