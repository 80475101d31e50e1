/** The calls of a lost process go to exactly one other process, or end. */
import { randomUUID } from 'node:crypto';
import { statement } from '@parley/db';
import { takeTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  endOf,
  makeAnsweredCall,
  makeDialedCall,
  makeVoiceProcess,
  silenceVoiceProcess,
  type Arrangement,
} from '../../test/arrange.ts';
import { findCall } from '../calls/find-call.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { FencedError } from '../shared/domain-error.ts';
import { createSecretBox } from '../shared/secret-box.ts';
import { loadInterruptedCall, storeCallProgress, type CallProgress } from './call-progress.ts';
import { closeLostCall } from './close-lost-call.ts';
import { finishCall } from './finish-call.ts';
import { recordCallNote } from './record-call-event.ts';
import { findSilentProcesses, sweepCalls } from './sweep-calls.ts';
import { findCallsOfOthers, registerSuccessor, takeOverCalls } from './take-over-calls.ts';

const DIALOG = { callId: 'dialog', localTag: 'a', remoteTag: 'b', localSequence: 4 };
const PROGRESS: CallProgress = {
  transcript: 'AI: Hello.\nCustomer: My number is 4111 1111 1111 1111.',
  turns: [],
  toolCalls: [],
  variables: { mood: 'good' },
  answeredBy: 'human',
  used: [],
  conversation: { lastTurn: 2 },
};

async function setup(assistantFields: Record<string, unknown> = {}) {
  const database = await takeTestDatabase();
  const about = await arrange(database.db, assistantFields);
  return { ...about, take: taker(about) };
}

/** Takes the calls of the arrangement's process over, for a new process. */
function taker(about: Arrangement) {
  return async (
    options: { fence?: VoiceFence; lost?: VoiceFence; endedAt?: Date | null; limit?: number } = {},
  ) => {
    const { lost = about.fence, endedAt = new Date(0), limit = 10 } = options;
    const fence = options.fence ?? (await makeVoiceProcess(about.ctx));
    const taken = await takeOverCalls(about.ctx, { fence, lostProcessId: lost.processId, endedAt, limit });
    return { fence, ids: taken.map(({ callId }) => callId) };
  };
}

async function makeTalkingCall(about: Arrangement, progress: CallProgress = PROGRESS): Promise<number> {
  const callId = await makeAnsweredCall(about);
  await about.ctx.db.query(setDialog, [callId, JSON.stringify(DIALOG)]);
  await storeCallProgress(about.ctx, { callId, fence: about.fence, progress });
  return callId;
}

const setDialog = statement('', 'update live_calls set dialog = $2::jsonb where call_id = $1');
const holderOf = statement<{ voiceProcessId: string; takeOvers: number }>(
  '',
  'select voice_process_id, take_overs from live_calls where call_id = $1',
);
const rowOf = statement<{ text: string }>(
  '',
  'select progress::text as text from call_progress where call_id = $1',
);
const storedOf = statement<{ count: number }>(
  '',
  'select count(*) as count from call_progress where call_id = $1',
);

describe('a call of a process that has ended', () => {
  it('goes to another process, with a CSeq number above those of the lost one', async () => {
    const about = await setup();
    const callId = await makeTalkingCall(about);
    const { ids, fence } = await about.take();
    expect(ids).toEqual([callId]);
    const interrupted = await loadInterruptedCall(about.ctx, callId);
    expect(interrupted).toMatchObject({ progress: PROGRESS, dialog: { ...DIALOG, localSequence: 104 } });
    const end = await finishCall(about.ctx, { ...endOf(about, callId), fence });
    expect(end).toMatchObject({ isApplied: true });
    expect(await about.ctx.db.query(storedOf, [callId])).toEqual([{ count: 0 }]);
  });

  it('has its words in the database only sealed: they are not redacted yet, and a backup contains them', async () => {
    const about = await setup({ redact: ['card_number'] });
    const callId = await makeTalkingCall(about);
    const [row] = await about.ctx.db.query(rowOf, [callId]);
    expect(row?.text).not.toMatch(/Hello|4111|mood|lastTurn/);
  });

  it('ends as lost, without its words, where their key is not known any more', async () => {
    const about = await setup();
    const callId = await makeTalkingCall(about);
    const ctx = { ...about.ctx, secretBox: createSecretBox('another key of at least 32 characters') };
    const { ids, fence } = await about.take();
    expect(ids).toEqual([callId]);
    await expect(loadInterruptedCall(ctx, callId)).rejects.toMatchObject({ kind: 'not-found' });
    await closeLostCall(ctx, callId, fence);
    expect(await findCall(ctx, about.identity, callId)).toMatchObject({ ended_reason: 'process_lost' });
  });

  it('goes to one of those that ask at the same time', async () => {
    const about = await setup();
    const calls = [await makeTalkingCall(about), await makeTalkingCall(about), await makeTalkingCall(about)];
    const answers = await Promise.all([about.take(), about.take(), about.take({ limit: 2 })]);
    expect(answers.flatMap(({ ids }) => ids).toSorted((a, b) => a - b)).toEqual(calls);
    for (const { ids, fence } of answers) expect(await findCallsOfOthers(about.ctx, ids, fence)).toEqual([]);
  });

  it('is taken as far as there are free slots, and the rest by another process', async () => {
    const about = await setup();
    const calls = [await makeTalkingCall(about), await makeTalkingCall(about)];
    const first = await about.take({ limit: 1 });
    const second = await about.take();
    expect([first.ids, second.ids]).toEqual([[calls[0]], [calls[1]]]);
    expect((await about.take({ fence: second.fence })).ids).toEqual([]);
  });

  it('is lost to the old process, which may not write about it any more', async () => {
    const about = await setup();
    const callId = await makeTalkingCall(about);
    await about.take();
    const { ctx, fence } = about;
    const note = { callId, fence, type: 'tool_used', at: new Date(0) };
    await expect(recordCallNote(ctx, note)).rejects.toThrow(FencedError);
    await expect(finishCall(ctx, endOf(about, callId))).rejects.toThrow(FencedError);
    await storeCallProgress(ctx, { callId, fence, progress: { ...PROGRESS, transcript: 'too late' } });
    expect((await loadInterruptedCall(ctx, callId)).progress).toEqual(PROGRESS);
    expect(await findCallsOfOthers(ctx, [callId], fence)).toEqual([callId]);
  });

  it('is not ended by the sweep, and is taken again when its new process is lost', async () => {
    const about = await setup();
    const callId = await makeTalkingCall(about);
    let { fence } = await about.take();
    await sweep(about);
    for (const round of [2, 3]) {
      const next = await about.take({ lost: fence });
      expect(next.ids).toEqual([callId]);
      expect(await about.ctx.db.query(holderOf, [callId])).toMatchObject([{ takeOvers: round }]);
      ({ fence } = next);
    }
    // A call that ends its process each time is given up.
    expect((await about.take({ lost: fence })).ids).toEqual([]);
    await sweep(about);
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({ ended_reason: 'process_lost' });
  });
});

async function sweep({ ctx }: Arrangement): Promise<void> {
  await sweepCalls(ctx, { hasBeenReachableForMs: 60_000, unreachable: await findSilentProcesses(ctx) });
}

describe('a process that still runs', () => {
  it('keeps its calls while its lease is valid and no supervisor has reported its end', async () => {
    const about = await setup();
    await makeTalkingCall(about);
    expect((await about.take({ endedAt: null })).ids).toEqual([]);
    await silenceVoiceProcess(about.ctx, about.fence);
    expect((await about.take({ endedAt: null })).ids).toHaveLength(1);
  });

  it('gives nothing to a process that is not registered itself, nor to itself', async () => {
    const about = await setup();
    await makeTalkingCall(about);
    expect((await about.take({ fence: about.fence })).ids).toEqual([]);
    expect((await about.take({ fence: { processId: randomUUID() } })).ids).toEqual([]);
  });
});

describe('a call with which no other process can go on', () => {
  const changes = {
    'its hang-up was asked for': `update live_calls set hang_up_requested_at = now() where call_id = $1`,
    'the caller waits in a queue': `update live_calls set queued_at = now() where call_id = $1`,
    'it has no dialog': `update live_calls set dialog = null where call_id = $1`,
    'it is a call of a browser': `update live_calls set type = 'web' where call_id = $1`,
    'its conversation was never stored': `delete from call_progress where call_id = $1`,
    'it is being transferred': `update call_progress set progress = jsonb_set(progress, '{canGoOn}', 'false')
       where call_id = $1`,
  };

  it.each(Object.entries(changes))('%s: it ends as before', async (_why, sql) => {
    const about = await setup();
    const callId = await makeTalkingCall(about);
    await about.ctx.db.query(statement('', sql), [callId]);
    expect((await about.take()).ids).toEqual([]);
    await sweep(about);
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({ ended_reason: 'process_lost' });
  });

  it('it is not answered yet', async () => {
    const about = await setup();
    const callId = await makeDialedCall(about);
    expect((await about.take()).ids).toEqual([]);
    await sweep(about);
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({ status: 'failed' });
  });

  it('keeps on record what was said, without what is to be redacted', async () => {
    const about = await setup({ redact: ['card_number'] });
    const callId = await makeTalkingCall(about, { ...PROGRESS, conversation: null });
    await about.take();
    await sweep(about);
    const { transcript } = await findCall(about.ctx, about.identity, callId);
    expect(transcript).toContain('AI: Hello.');
    expect(transcript).not.toContain('4111');
  });
});

describe('a process that cannot go on with a call that it has taken', () => {
  it('ends it with BYE, and no other process does', async () => {
    const about = await setup();
    const callId = await makeTalkingCall(about);
    const { fence } = await about.take();
    await closeLostCall(about.ctx, callId, about.fence);
    expect(await findCall(about.ctx, about.identity, callId)).toMatchObject({ ended_reason: null });
    await closeLostCall(about.ctx, callId, fence);
    const { ended_reason, ended_by } = await findCall(about.ctx, about.identity, callId);
    expect([ended_reason, ended_by]).toEqual(['process_lost', 'system']);
  });
});

describe('a process that starts at the address of a lost one', () => {
  it('takes its calls in the moment in which it registers', async () => {
    const about = await setup();
    const { ctx, fence } = about;
    const callId = await makeTalkingCall(about);
    const [row] = await ctx.db.query(
      statement<{ url: string }>('', 'select url from voice_processes where id = $1'),
      [fence.processId],
    );
    const input = { url: row?.url ?? '', sipAddress: '127.0.0.1:5060', capacity: 5 };
    const { fence: next, taken } = await registerSuccessor(ctx, input);
    expect(taken.map((one) => one.callId)).toEqual([callId]);
    expect(await ctx.db.query(holderOf, [callId])).toMatchObject([{ voiceProcessId: next.processId }]);
    expect((await registerSuccessor(ctx, { ...input, url: 'http://elsewhere.test' })).taken).toEqual([]);
  });
});
