import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav, WAV_HEADER_BYTES } from '@parley/audio';
import { diskStorage, type RecordingWriter } from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import type { MediaTick } from '@parley/telephony';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallRecorder } from './recorder.ts';

const FRAME = 160;

/** An in-memory file on a disk that can fill up. */
class MemoryFile implements RecordingWriter {
  bytes = new Uint8Array(0);
  isFull = false;
  /** Called after every write: what a player would find at that instant. */
  onWritten = (): void => {};

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    if (this.isFull) throw new Error('ENOSPC');
    const grown = new Uint8Array(Math.max(this.bytes.length, offset + bytes.length));
    grown.set(this.bytes);
    grown.set(bytes, offset);
    this.bytes = grown;
    this.onWritten();
  }

  async close(): Promise<void> {}
}

async function temporaryFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'recorder-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

function setup(openWriter?: () => Promise<RecordingWriter>): {
  file: MemoryFile;
  recorder: CallRecorder;
  speak: (frames: number) => void;
  failures: () => number;
  clock: ManualClock;
} {
  const file = new MemoryFile();
  const clock = new ManualClock();
  let failures = 0;
  const recorder = new CallRecorder({
    clock,
    openWriter: openWriter ?? (async () => file),
    sampleRateHz: 8000,
    log: silentLog,
    onFailure: () => (failures += 1),
  });
  let index = 0;
  const speak = (frames: number): void => {
    for (let count = 0; count < frames; count += 1, index += 1) recorder.onTick(tick(index));
  };
  return { file, recorder, speak, failures: () => failures, clock };
}

/** A frame whose samples identify the frame and the channel. */
function tick(index: number): MediaTick {
  return {
    index,
    received: new Int16Array(FRAME).fill(index + 1),
    isConcealed: false,
    sent: new Int16Array(FRAME).fill(-index - 1),
    sentTurn: 1,
    sentSamples: FRAME,
    receivedAgoMs: 0,
    queuedSamples: 0,
  };
}

/** How long a new process may take to begin on a busy machine, milliseconds. */
const PROCESS_LIMIT_MS = 80_000;

describe('the recorder', () => {
  it('stores both channels sample by sample, the customer left and the assistant right', async () => {
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

  it('has a valid header at every instant, which is at most one write behind the data', async () => {
    const { file, recorder, speak } = setup();
    const found: [promised: number, there: number][] = [];
    file.onWritten = () => {
      const promised = new DataView(file.bytes.buffer).getUint32(WAV_HEADER_BYTES - 4, true);
      found.push([promised, file.bytes.length - WAV_HEADER_BYTES]);
    };
    speak(120);
    await recorder.finish();
    const second = 50 * FRAME * 4;
    const end = 120 * FRAME * 4;
    expect(found).toEqual([
      [0, 0],
      [0, second],
      [second, second],
      [second, 2 * second],
      [2 * second, 2 * second],
      [2 * second, end],
      [end, end],
    ]);
  });

  it('is written as soon as a second is full, without waiting for the frame after it', async () => {
    const { file, speak } = setup();
    speak(50);
    await vi.waitFor(() => expect(readWav(file.bytes).channels[0]).toHaveLength(50 * FRAME), {
      timeout: 20_000,
    });
  });

  it.each([149, 150])(
    'a process killed after %i frames leaves a file that plays up to its last second',
    async (frames) => {
      const directory = await temporaryFolder();
      const script = join(import.meta.dirname, '..', 'test', 'recorder-process.ts');
      const child = spawn(process.execPath, [script, directory, String(frames)], {
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      const exited = once(child, 'exit');
      onTestFinished(() => void child.kill('SIGKILL'));
      const wholeSeconds = Math.floor(frames / 50);
      const read = async () => readWav(await readFile(join(directory, 'call.wav'))).channels;
      await vi.waitFor(async () => expect((await read())[0]).toHaveLength(wholeSeconds * 50 * FRAME), {
        timeout: PROCESS_LIMIT_MS,
      });
      child.kill('SIGKILL');
      expect(await exited).toEqual([null, 'SIGKILL']);
      const [customer, assistant] = await read();
      const last = wholeSeconds * 50 * FRAME - 1;
      expect([customer?.length, assistant?.length]).toEqual([last + 1, last + 1]);
      expect([customer?.[last], assistant?.[last]]).toEqual([wholeSeconds * 50, -wholeSeconds * 50]);
    },
    PROCESS_LIMIT_MS + 10_000,
  );

  it('stops recording on a disk that is really full, and reports that once', async () => {
    const directory = await temporaryFolder();
    await symlink('/dev/full', join(directory, 'call.wav'));
    const { recorder, speak, failures } = setup(() => diskStorage(directory).createWriter('call.wav'));
    speak(120);
    expect(await recorder.finish()).toEqual({ durationMs: 0, isComplete: false });
    expect(failures()).toBe(1);
  });

  it('stops recording on a full disk without throwing, and reports that once', async () => {
    const { file, recorder, speak, failures } = setup();
    speak(60);
    await new Promise<void>((resolve) => setImmediate(resolve));
    file.isFull = true;
    speak(60);
    const result = await recorder.finish();
    expect(result).toEqual({ durationMs: 1000, isComplete: false });
    expect(failures()).toBe(1);
  });
});

describe('a disk that hangs', () => {
  it('ends the recording once a minute of sound waits for it', async () => {
    const disk = Promise.withResolvers<void>();
    const { file, recorder, speak, failures } = setup();
    file.write = async () => disk.promise;
    speak(60 * 50);
    expect(failures()).toBe(0);
    speak(50);
    expect(failures()).toBe(1);
    disk.resolve();
    expect(await recorder.finish()).toMatchObject({ isComplete: false });
  });

  it('loses nothing if it goes on before', async () => {
    const disk = Promise.withResolvers<void>();
    const { file, recorder, speak } = setup();
    file.write = async () => disk.promise;
    speak(60 * 50);
    disk.resolve();
    await new Promise<void>((resolve) => setImmediate(resolve));
    speak(60 * 50);
    expect(await recorder.finish()).toEqual({ durationMs: 120_000, isComplete: true });
  });
});

describe('the end of a recording', () => {
  it('does not wait longer than 20 s for a disk that hangs, and keeps the written data', async () => {
    const { file, recorder, speak, failures, clock } = setup();
    speak(50);
    await vi.waitFor(() => expect(readWav(file.bytes).channels[0]).toHaveLength(50 * FRAME), {
      timeout: 20_000,
    });
    file.close = async () => new Promise(() => undefined);
    const finished = recorder.finish();
    await clock.advanceAsync(20_000, 10_000);
    expect(await finished).toEqual({ durationMs: 1000, isComplete: false });
    expect(failures()).toBe(1);
    expect(clock.pendingTimers()).toBe(0);
  });
});
