import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  killVoiceProcess,
  makeIntendedCall,
  makeVoiceProcess,
  silenceVoiceProcess,
} from '../../test/arrange.ts';
import { authorizeDial } from './authorize-dial.ts';
import { recordCallEvent } from './record-call-event.ts';
import { requestHangUp } from './request-hang-up.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  const callId = await makeIntendedCall(about);
  const { processId: voiceProcessId, epoch } = about.fence;
  const ask = (asker: { voiceProcessId?: string; epoch?: number } = {}) =>
    authorizeDial(about.ctx, { callId, voiceProcessId, epoch, ...asker });
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
});
