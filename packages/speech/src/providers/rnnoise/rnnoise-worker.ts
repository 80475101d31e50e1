/**
 * The thread in which noise is taken out of sounds. Answers one {@link NoiseReply} per {@link NoiseRequest}, in order.
 * Ends when its owner terminates it.
 */
import { parentPort } from 'node:worker_threads';
import { QuietStream } from './quiet-stream.ts';
import type { NoiseReply, NoiseRequest } from './rnnoise-message.ts';

/** The import is a late one, so that a library that does not load becomes a fault and not a crash. */
async function load(): Promise<ConstructorParameters<typeof QuietStream>[0]> {
  const { default: create } = await import('@echogarden/rnnoise-wasm');
  return create();
}

function serve(port: NonNullable<typeof parentPort>): void {
  const loading = load();
  loading.catch(() => {}); // told with every answer
  const streams = new Map<number, QuietStream>();
  port.on('message', (request: NoiseRequest) => {
    void answer(loading, streams, request).then((reply) => port.postMessage(reply));
  });
}

async function answer(
  loading: ReturnType<typeof load>,
  streams: Map<number, QuietStream>,
  request: NoiseRequest,
): Promise<NoiseReply> {
  const { id, isFirst, isLast } = request;
  try {
    if (isFirst) streams.set(id, new QuietStream(await loading, request.sampleRateHz));
    const stream = streams.get(id);
    if (!stream) return { fault: 'the beginning of the sound is forgotten' };
    const cleaned = stream.clean(request.samples);
    if (!isLast) return { samples: cleaned };
    const rest = stream.flush();
    stream.free();
    streams.delete(id);
    return { samples: Int16Array.from([...cleaned, ...rest]) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

if (parentPort) serve(parentPort);
