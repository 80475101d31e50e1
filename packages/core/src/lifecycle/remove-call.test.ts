import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  arrangeHosted,
  talkedEndOf,
  makeAnsweredCall,
  makeCall,
  makeUser,
  waitingJobs,
} from '../../test/arrange.ts';
import { findRecordingByUrl } from '../recordings/recording-url.ts';
import { completeCall } from './complete-call.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from './finish-call.ts';
import { removeCall } from './remove-call.ts';

const database = useTestDatabase();

const leftovers = statement<{ rows: number }>(
  '',
  `select (select count(*) from calls where id = $1) + (select count(*) from call_events where call_id = $1)
     + (select count(*) from deliveries where call_id = $1) + (select count(*) from recordings where call_id = $1)
     as rows`,
);

async function setup(arrangeCalls = arrange) {
  const about = await arrangeCalls(database.db, {
    record_call: true,
    is_webhook_active: true,
    webhook_url: 'https://hooks.example/calls',
  });
  const remove = (callId: number, reader = about.identity) => removeCall(about.ctx, reader, callId);
  const finish = async () => {
    const callId = await makeAnsweredCall(about);
    const key = `test/${callId}.wav`;
    await finishCall(about.ctx, {
      ...talkedEndOf(about, callId),
      recording: { key, durationMs: 1, sampleRate: 8000 },
    });
    return { callId, key };
  };
  return { ...about, remove, finish };
}

describe('deleting a call', () => {
  it('leaves nothing of it, and has its recording removed', async () => {
    const { ctx, identity, remove, finish } = await setup();
    const { callId, key } = await finish();
    await completeCall(ctx, callId);
    const { recording_url: url } = await findCall(ctx, identity, callId);
    const signature = /\/([\w-]+)\.wav$/.exec(url ?? '')?.[1] ?? '';
    expect(await findRecordingByUrl(ctx, { callId, signature })).not.toBeNull();
    await remove(callId);
    expect(await ctx.db.query(leftovers, [callId])).toEqual([{ rows: 0 }]);
    expect(await findRecordingByUrl(ctx, { callId, signature })).toBeNull();
    expect(await waitingJobs(ctx, 'remove_recording', { key })).toBe(1);
    await expect(remove(callId)).rejects.toMatchObject({ kind: 'not-found', message: 'Call not found' });
  });

  it('is refused while the call lives or is being settled', async () => {
    const about = await setup(arrangeHosted);
    for (const callId of [await makeCall(about), await makeAnsweredCall(about)]) {
      await expect(about.remove(callId)).rejects.toMatchObject({
        kind: 'conflict',
        message: 'The call is live. Hang it up before you delete it.',
      });
    }
    const { callId } = await about.finish();
    await expect(about.remove(callId)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The call has just ended and is still being settled.',
    });
  });

  it("another user's call is treated as missing", async () => {
    const about = await setup();
    const { callId } = await about.finish();
    const stranger = await makeUser(about.ctx);
    for (const target of [callId, 999_999_999]) {
      await expect(about.remove(target, stranger)).rejects.toMatchObject({
        kind: 'not-found',
        message: 'Call not found',
      });
    }
  });
});
