/**
 * Removes the noise from the customer's channel of a finished recording (docs/decisions/noise-suppression.md). The result is
 * a second file of the same size, which replaces the recording when it is complete.
 */
import { buffer } from 'node:stream/consumers';
import { readStereo, readWavHeader, WAV_HEADER_BYTES, writeStereo } from '@parley/audio';
import { isNoisy, replaceRecording, type NoisyRecording, type RecordingWriter } from '@parley/core';
import type { NoiseFilterStream } from '@parley/speech/noise';
import type { WorkerContext } from '../worker-context.ts';

const CHANNELS = 2;
/** One sample of each channel. */
const FRAME_BYTES = 2 * CHANNELS;

/** Does nothing when the noise was removed already or the call was deleted. */
export async function removeNoise(worker: WorkerContext, recording: NoisyRecording): Promise<void> {
  const { core } = worker;
  if (!(await isNoisy(core, recording))) return;
  const file = await core.recordings.createReplacement(recording.key);
  try {
    await copyWithoutNoise(worker, recording.key, file);
  } finally {
    await file.close();
  }
  await replaceRecording(core, recording);
}

async function copyWithoutNoise(
  { core: { recordings }, noise }: WorkerContext,
  key: string,
  copy: RecordingWriter,
): Promise<void> {
  const size = await recordings.size(key);
  if (size === null) throw new Error('The file of a recording is missing');
  const header = await buffer(recordings.open(key, { start: 0, end: WAV_HEADER_BYTES - 1 }));
  const { sampleRateHz, channelCount } = readWavHeader(header);
  if (channelCount !== CHANNELS)
    throw new Error(`A recording has ${channelCount} channels instead of ${CHANNELS}`);
  await copy.write(header, 0);
  if (size === WAV_HEADER_BYTES) return;
  const sound = recordings.open(key, { start: WAV_HEADER_BYTES, end: size - 1 });
  let at = WAV_HEADER_BYTES;
  for await (const piece of withoutNoise(
    pieces(sound, sampleRateHz * FRAME_BYTES),
    noise.open(sampleRateHz),
  )) {
    await copy.write(piece, at);
    at += piece.length;
  }
}

/** Pieces of equal length, and the rest. */
async function* pieces(stream: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let waiting = Buffer.alloc(0);
  for await (const chunk of stream) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length >= bytes; waiting = waiting.subarray(bytes)) yield waiting.subarray(0, bytes);
  }
  yield waiting;
}

/** The filter is some milliseconds behind, so the other channel waits for it. An incomplete frame at the end stays as it is. */
async function* withoutNoise(
  sound: AsyncIterable<Uint8Array>,
  filter: NoiseFilterStream,
): AsyncGenerator<Uint8Array> {
  let assistant = new Int16Array(0);
  let tail = new Uint8Array(0);
  for await (const piece of sound) {
    const [customer, other] = readStereo(piece);
    tail = piece.slice(customer.length * FRAME_BYTES);
    assistant = Int16Array.from([...assistant, ...other]);
    const clean = await filter.clean(customer, false);
    yield interleaved(clean, assistant.subarray(0, clean.length));
    assistant = assistant.slice(clean.length);
  }
  const rest = await filter.clean(new Int16Array(0), true);
  yield interleaved(rest, assistant);
  yield tail;
}

/** As long as the assistant's channel: the end of the filter's sound is silence. */
function interleaved(customer: Int16Array, assistant: Int16Array): Uint8Array {
  const bytes = new Uint8Array(assistant.length * FRAME_BYTES);
  const channel = new Int16Array(assistant.length);
  channel.set(customer.subarray(0, assistant.length));
  writeStereo(channel, assistant, new DataView(bytes.buffer));
  return bytes;
}
