/**
 * A process for tests that records a call onto a real disk, into the folder of its first argument: at once as many
 * frames as the second argument states. Then it waits to be killed. Frame n contains n + 1 on the customer's channel and -n - 1 on the other.
 */
import { diskStorage } from '@parley/core';
import { createLog, systemClock } from '@parley/runtime';
import { CallRecorder } from '../src/recorder.ts';

const FRAME_SAMPLES = 160;
const [directory = '', frames = '0'] = process.argv.slice(2);

const recorder = new CallRecorder({
  openWriter: () => diskStorage(directory).createWriter('call.wav'),
  clock: systemClock,
  sampleRateHz: 8000,
  log: createLog({ name: 'recorder' }),
  onFailure: () => process.exit(1),
});
for (let index = 0; index < Number(frames); index += 1)
  recorder.onTick({
    index,
    received: new Int16Array(FRAME_SAMPLES).fill(index + 1),
    isConcealed: false,
    sent: new Int16Array(FRAME_SAMPLES).fill(-index - 1),
    sentTurn: 1,
    sentSamples: FRAME_SAMPLES,
    receivedAgoMs: 0,
    queuedSamples: 0,
  });
process.stdin.resume();
