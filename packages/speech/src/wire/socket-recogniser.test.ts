import { ManualClock, systemClock } from '@parley/runtime';
import { afterEach, expect, it } from 'vitest';
import { novaResults } from '../fakes/deepgram-simulator.ts';
import { DeepgramSimulator, type SimulatedRequest } from '../fakes/index.ts';
import type { RecogniserEvent } from '../ports.ts';
import { SocketRecogniserStream, type Told } from './socket-recogniser.ts';

/** As the real one where it finds little sound: requests for a final stay without an answer. */
class SilentSimulator extends DeepgramSimulator {
  protected override talk(request: SimulatedRequest, send: (message: Record<string, unknown>) => void) {
    return super.talk(request, (message) => message['from_finalize'] === true || send(message));
  }
}

const running: SilentSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
});

/** A second of sound, a request for its words, and as much sound again, in which one message comes that tells this. */
async function setup(told: readonly Told[]) {
  const message = novaResults({ text: '', beginMs: 0, endMs: 1400 });
  const simulator = new SilentSimulator({ clock: systemClock, timeline: [{ atMs: 1400, message }] });
  running.push(simulator);
  await simulator.start();
  const clock = new ManualClock();
  const events: RecogniserEvent[] = [];
  const { promise: hasRead, resolve } = Promise.withResolvers<void>();
  const protocol = {
    url: `${simulator.origin.replace('http', 'ws')}/v1/listen?sample_rate=8000`,
    headers: {},
    apiKey: null,
    sampleRateHz: 8000,
    pieceMs: 40,
    finalise: { type: 'Finalize' },
    farewell: { type: 'CloseStream' },
    read() {
      resolve();
      return told;
    },
  };
  const stream = new SocketRecogniserStream(protocol, clock, (event) => events.push(event));
  const second = new Int16Array(8000);
  stream.push(second);
  stream.finalise();
  stream.push(second);
  await hasRead;
  clock.advance(1500);
  stream.close();
  return events;
}

it('says of a final that a silent provider owes that it is overdue', async () => {
  expect(await setup([])).toEqual([{ type: 'final', text: '', endMs: 1000, isOverdue: true }]);
});

it('takes a provider that follows the sound, and has no words for it, at its word', async () => {
  expect(await setup([{ type: 'no-words' }])).toEqual([{ type: 'final', text: '', endMs: 1000 }]);
});
