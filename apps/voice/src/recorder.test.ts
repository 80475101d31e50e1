import { readWav } from '@parley/audio';
import type { RecordingWriter } from '@parley/core';
import { silentLog } from '@parley/runtime';
import type { MediaTick } from '@parley/telephony';
import { describe, expect, it } from 'vitest';
import { CallRecorder } from './recorder.ts';

const FRAME = 160;

/** A file in memory, and a disk that can fill up. */
class MemoryFile implements RecordingWriter {
  bytes = new Uint8Array(0);
  isFull = false;

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    if (this.isFull) throw new Error('ENOSPC');
    const grown = new Uint8Array(Math.max(this.bytes.length, offset + bytes.length));
    grown.set(this.bytes);
    grown.set(bytes, offset);
    this.bytes = grown;
  }

  async close(): Promise<void> {}
}

function setup(): { file: MemoryFile; recorder: CallRecorder; speak: (frames: number) => void } {
  const file = new MemoryFile();
  const recorder = new CallRecorder({ openWriter: async () => file, sampleRateHz: 8000, log: silentLog });
  let index = 0;
  const speak = (frames: number): void => {
    for (let count = 0; count < frames; count += 1, index += 1) recorder.onTick(tick(index));
  };
  return { file, recorder, speak };
}

/** A frame whose samples say which frame and which side they are. */
function tick(index: number): MediaTick {
  return {
    index,
    received: new Int16Array(FRAME).fill(index + 1),
    isConcealed: false,
    sent: new Int16Array(FRAME).fill(-index - 1),
    sentTurn: 1,
    sentSamples: FRAME,
    queuedSamples: 0,
  };
}

describe('the recorder', () => {
  it('keeps both sides to the sample, the customer left and the assistant right', async () => {
    const { file, recorder, speak } = setup();
    speak(130);
    expect(await recorder.finish()).toEqual({ durationMs: 2600, isComplete: true });
    const [customer, assistant] = readWav(file.bytes).channels;
    expect(customer).toHaveLength(130 * FRAME);
    for (const frame of [0, 49, 50, 129]) {
      expect(customer?.[frame * FRAME]).toBe(frame + 1);
      expect(assistant?.[frame * FRAME + FRAME - 1]).toBe(-frame - 1);
    }
  });

  it('has a true header after every second, so that a killed process leaves a file that plays', async () => {
    const { file, recorder, speak } = setup();
    speak(120);
    await recorder.finish();
    const whole = file.bytes.slice();
    const later = setup();
    later.speak(120);
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(readWav(later.file.bytes).channels[0]).toHaveLength(100 * FRAME);
    expect(later.file.bytes.slice(44)).toEqual(whole.slice(44, later.file.bytes.length));
  });

  it('gives up a full disk without a throw and says that it is not complete', async () => {
    const { file, recorder, speak } = setup();
    speak(60);
    await new Promise<void>((resolve) => setImmediate(resolve));
    file.isFull = true;
    speak(60);
    const result = await recorder.finish();
    expect(result).toEqual({ durationMs: 1000, isComplete: false });
  });
});
