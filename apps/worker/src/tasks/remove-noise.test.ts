import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readWav, rmsDbfs, WAV_HEADER_BYTES, wavHeader, writeStereo } from '@parley/audio';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { arrange, finishTestCall } from '../../test/arrange.ts';
import { removeNoise } from './remove-noise.ts';
import { removeRecording } from './remove-recording.ts';

const RATE_HZ = 8000;
/** Not a whole number of the pieces in which the recording is read. */
const SAMPLES = 4.3 * RATE_HZ;

const database = useTestDatabase();

/** Two channels: noise of a fan, and a rising line that shows every shift of the assistant's channel. */
function noisyRecording(): Uint8Array {
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const customer = new Int16Array(SAMPLES).map(() => random() * 2000);
  const assistant = new Int16Array(SAMPLES).map((_, at) => at / 2);
  const file = new Uint8Array(WAV_HEADER_BYTES + SAMPLES * 4);
  file.set(wavHeader({ sampleRateHz: RATE_HZ, channelCount: 2, dataBytes: SAMPLES * 4 }));
  writeStereo(customer, assistant, new DataView(file.buffer), WAV_HEADER_BYTES);
  return file;
}

/** A finished call with this recording. */
async function setup(file: Uint8Array = noisyRecording()) {
  const recordingsDir = await mkdtemp(join(tmpdir(), 'parley-noise-'));
  const about = await arrange(database.db, { recordingsDir, assistant: { record_call: true } });
  onTestFinished(async () => {
    await about.close();
    await rm(recordingsDir, { recursive: true });
  });
  const key = '2026/01/call.wav';
  const { worker, core } = about;
  const writer = await core.recordings.createWriter(key);
  await writer.write(file, 0);
  await writer.close();
  const callId = await finishTestCall(about, [], { key, durationMs: 4300, sampleRate: RATE_HZ });
  return {
    worker,
    file,
    job: { callId, key },
    stored: () => buffer(core.recordings.open(key)),
    files: () => readdir(join(recordingsDir, dirname(key))),
    /** As the deletion of a call does it. */
    deleteRecording: async () => {
      await core.db.query(deleteRow, [callId]);
      await removeRecording(worker, { key });
    },
  };
}

const deleteRow = statement('', 'delete from recordings where call_id = $1');
const level = (sound: Int16Array | undefined): number =>
  rmsDbfs(sound?.subarray(2 * RATE_HZ) ?? new Int16Array(0));

it('removes the noise of the customer, leaves the assistant as it is, and keeps the length', async () => {
  const { worker, file, job, stored, files } = await setup();
  await removeNoise(worker, job);
  const [before, after] = [readWav(file).channels, readWav(await stored()).channels];
  expect(level(before[0]) - level(after[0])).toBeGreaterThan(25);
  expect(after[0]).toHaveLength(SAMPLES);
  expect(after[1]).toEqual(before[1]);
  expect(await files()).toEqual(['call.wav']);
});

it('does nothing when it runs again', async () => {
  const { worker, job, stored } = await setup();
  await removeNoise(worker, job);
  const once = await stored();
  await removeNoise(worker, job);
  expect((await stored()).equals(once)).toBe(true);
});

it.each([
  ['without any sound', WAV_HEADER_BYTES],
  ['that ends within a sample, because its writer was killed', WAV_HEADER_BYTES + 4001],
])('keeps the length of a recording %s', async (_what, bytes) => {
  const { worker, file, job, stored } = await setup(noisyRecording().subarray(0, bytes));
  await removeNoise(worker, job);
  expect(await stored()).toHaveLength(bytes);
  expect((await stored()).at(-1)).toBe(file.at(-1));
});

it('leaves no file of a call that is deleted meanwhile', async () => {
  const { worker, job, deleteRecording, files } = await setup();
  const { noise } = worker;
  const isDeleted = { yet: false };
  worker.noise = {
    ...noise,
    open: (rate) => {
      const stream = noise.open(rate);
      return {
        async clean(samples, isLast) {
          if (!isDeleted.yet) await deleteRecording();
          isDeleted.yet = true;
          return stream.clean(samples, isLast);
        },
      };
    },
  };
  await removeNoise(worker, job);
  expect(isDeleted.yet).toBe(true);
  expect(await files()).toEqual([]);
});

it('removes what a killed run has left of a call that was deleted', async () => {
  const { worker, job, deleteRecording, files } = await setup();
  await deleteRecording();
  await (await worker.core.recordings.createReplacement(job.key)).close();
  expect(await files()).toEqual(['call.wav.new']);
  await removeNoise(worker, job);
  expect(await files()).toEqual([]);
});

it('refuses a file that is no recording, which stays as it is', async () => {
  const { worker, job, stored } = await setup(new Uint8Array(100));
  await expect(removeNoise(worker, job)).rejects.toThrow('The file is not a recording');
  expect(await stored()).toHaveLength(100);
});
