import { describe, expect, it } from 'vitest';
import { fakeSpeech } from '@parley/speech/fakes';
import { Scenario } from '../test/scenario.ts';

describe('greeting', () => {
  it('prepared while it rings, is sent with the first frame after the answer', async () => {
    const call = new Scenario();
    await call.answer();
    await call.silence(1000);
    expect(call.log).toEqual([]);
  });
  it('a turn', async () => {
    const call = new Scenario({ answers: [fakeSpeech('Good day. Bye.', { firstAfterMs: 200 })] });
    await call.answer();
    await call.silence(1000);
    await call.speech(800);
    await call.silence(3000);
    call.press('1');
    await call.silence(3000);
    expect(call.log).toEqual([]);
  });
});
