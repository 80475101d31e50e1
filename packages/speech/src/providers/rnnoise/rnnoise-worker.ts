/**
 * The thread that removes noise from audio, at a low priority, because nothing waits for it. Answers one {@link NoiseReply} per {@link NoiseRequest}. Ends when its owner
 * terminates it.
 */
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { answerMessages } from '../../worker-answers.ts';
import { QuietStream } from './quiet-stream.ts';
import type { NoiseReply, NoiseRequest } from './rnnoise-message.ts';

/** Imported late, so that a library that does not load is reported as a fault instead of a crash. */
async function load(): Promise<ConstructorParameters<typeof QuietStream>[0]> {
  const { default: create } = await import('@echogarden/rnnoise-wasm');
  return create();
}

/** On Linux a priority belongs to a thread, on other systems to the whole process. */
function giveWay(): void {
  if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

function serve(port: NonNullable<typeof parentPort>): void {
  const loading = load();
  loading.catch(() => {}); // reported with every answer
  const streams = new Map<number, QuietStream>();
  answerMessages(port, async (request: NoiseRequest) => answer(loading, streams, request));
}

async function answer(
  loading: ReturnType<typeof load>,
  streams: Map<number, QuietStream>,
  { id, isFirst, isLast, samples, sampleRateHz }: NoiseRequest,
): Promise<NoiseReply> {
  if (isFirst) streams.set(id, new QuietStream(await loading, sampleRateHz));
  const stream = streams.get(id);
  if (!stream) throw new Error('the beginning of this audio was lost');
  const cleaned = stream.clean(samples);
  if (!isLast) return { samples: cleaned };
  const rest = stream.flush();
  stream.free();
  streams.delete(id);
  return { samples: Int16Array.from([...cleaned, ...rest]) };
}

if (parentPort) {
  giveWay();
  serve(parentPort);
}
