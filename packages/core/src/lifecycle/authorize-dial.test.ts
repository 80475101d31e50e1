import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  killVoiceProcess,
  makeIntendedCall,
  makeVoiceProcess,
  silenceVoiceProcess,
} from '../../test/arrange.ts';
import { slowToHear } from '../../test/slow-to-hear.ts';
import type { CoreContext } from '../context.ts';
import { authorizeDial } from './authorize-dial.ts';
import { closeLostCall } from './close-lost-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { requestHangUp } from './request-hang-up.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const callId = await makeIntendedCall(about);
  const { processId: voiceProcessId, epoch } = about.fence;
  const ask = (asker: { voiceProcessId?: string; epoch?: number } = {}, ctx: CoreContext = about.ctx) =>
    authorizeDial(ctx, { callId, voiceProcessId, epoch, ...asker });
  return { ...about, callId, ask };
}

describe('the last question before the INVITE', () => {
  it('eight ask at once: one may send, ever', async () => {
    const { ask } = await setup();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()));
    expect(answers.filter((answer) => answer.isAllowed)).toHaveLength(1);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'already_sent' });
  });

  it('another process, or another life of the same one, may not', async () => {
    const { ctx, ask, fence } = await setup();
    const other = await makeVoiceProcess(ctx);
    const fenced = { isAllowed: false, reason: 'fenced' };
    expect(await ask({ voiceProcessId: other.processId, epoch: other.epoch })).toEqual(fenced);
    expect(await ask({ epoch: fence.epoch + 1 })).toEqual(fenced);
    expect(await ask()).toEqual({ isAllowed: true });
  });

  it('a process whose lease has run out, or that was fenced, may not', async () => {
    const silent = await setup();
    await silenceVoiceProcess(silent.ctx, silent.fence);
    expect(await silent.ask()).toEqual({ isAllowed: false, reason: 'fenced' });
    const gone = await setup();
    await killVoiceProcess(gone.ctx, gone.fence);
    expect(await gone.ask()).toEqual({ isAllowed: false, reason: 'fenced' });
  });

  it('a call that was ended meanwhile is not dialed', async () => {
    const hungUp = await setup();
    await requestHangUp(hungUp.ctx, hungUp.identity, hungUp.callId);
    expect(await hungUp.ask()).toEqual({ isAllowed: false, reason: 'over' });
    const failed = await setup();
    await recordCallEvent(failed.ctx, { callId: failed.callId, event: 'failed', at: new Date(0) });
    expect(await failed.ask()).toEqual({ isAllowed: false, reason: 'over' });
  });

  it('hang-up and dial at the same time: either nothing leaves, or voice is asked to end it', async () => {
    for (let round = 0; round < 5; round++) {
      const { ctx, identity, callId, ask } = await setup();
      const [answer, hangUp] = await Promise.all([ask(), requestHangUp(ctx, identity, callId)]);
      expect(hangUp.status).toBe(answer.isAllowed ? 'initiated' : 'failed');
    }
  });

  it('a process that was frozen before it heard the answer does not act on it', async () => {
    const { ctx, callId, ask } = await setup();
    expect(await ask({}, slowToHear(ctx))).toEqual({ isAllowed: false, reason: 'too_late' });
    expect(await endOf(ctx, callId)).toEqual([{ status: 'failed', endedReason: 'internal_error' }]);
    expect(await ask()).toEqual({ isAllowed: false, reason: 'over' });
  });

  it('and says nothing of a call that others have ended meanwhile', async () => {
    const { ctx, callId, ask, fence } = await setup();
    const meanwhile = async (): Promise<void> => {
      await killVoiceProcess(ctx, fence);
      await closeLostCall(ctx, callId);
    };
    expect(await ask({}, slowToHear(ctx, meanwhile))).toEqual({ isAllowed: false, reason: 'too_late' });
    expect(await endOf(ctx, callId)).toEqual([{ status: 'failed', endedReason: 'process_lost' }]);
  });
});

const selectEnd = statement<{ status: string; endedReason: string | null }>(
  'test_end_of_call',
  'select status, ended_reason from calls where id = $1',
);

async function endOf({ db }: CoreContext, callId: number): Promise<{ status: string }[]> {
  return db.query(selectEnd, [callId]);
}
