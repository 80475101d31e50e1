/**
 * The thread in which Flite runs, so that it does not block the process. Answers one {@link FliteReply} per
 * {@link FliteRequest}, in order. Ends when its owner terminates it.
 */
import { parentPort } from 'node:worker_threads';
import { resample } from '@parley/audio';
import { FliteEngine } from './flite-engine.ts';
import type { FliteReply, FliteRequest } from './flite-message.ts';

function serve(port: NonNullable<typeof parentPort>): void {
  const engine = new FliteEngine();
  engine.prepare();
  port.on('message', (request: FliteRequest) => {
    const reply = answer(engine, request);
    port.postMessage(reply, 'samples' in reply ? [reply.samples.buffer] : []);
    engine.prepare();
  });
}

function answer(engine: FliteEngine, { text, voice, speed, sampleRateHz }: FliteRequest): FliteReply {
  try {
    const sound = engine.synthesise(text, voice, speed);
    return { samples: resample(sound.samples, sound.sampleRateHz, sampleRateHz).slice() };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

if (parentPort) serve(parentPort);
