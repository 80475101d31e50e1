/** A carrier that streams a call to us, and the words of each carrier's protocol. */
import { EventEmitter } from 'node:events';
import { decodeG711, encodeG711 } from '@parley/audio';
import { ManualClock, silentLog } from '@parley/runtime';
import { createCarrierLeg } from '../src/carrier-streams/carrier-leg.ts';
import type { CarrierProtocol } from '../src/carrier-streams/carrier-protocol.ts';
import { CarrierStream } from '../src/carrier-streams/carrier-stream.ts';
import { telnyxProtocol } from '../src/carrier-streams/telnyx-messages.ts';
import { twilioProtocol } from '../src/carrier-streams/twilio-messages.ts';
import type { StreamData, StreamSocket } from '../src/streams/stream-socket.ts';

/** What differs between the messages of carriers. */
export interface CarrierWords {
  protocol: CarrierProtocol;
  /** A message about the stream. */
  about(event: string, number: number, content: object): object;
  /** The content of the first one. */
  start: object;
}

const STREAM_SID = `MZ${'a'.repeat(32)}`;

export const twilioWords = {
  protocol: twilioProtocol,
  about(event: string, number: number, content: object) {
    return { event, sequenceNumber: String(number), streamSid: STREAM_SID, ...content };
  },
  start: {
    streamSid: STREAM_SID,
    callSid: `CA${'b'.repeat(32)}`,
    accountSid: `AC${'c'.repeat(32)}`,
    tracks: ['inbound'],
    customParameters: { ticket: 'secret' },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
} satisfies CarrierWords;

export const telnyxWords = {
  protocol: telnyxProtocol,
  about(event: string, number: number, content: object) {
    return {
      event,
      sequence_number: String(number),
      stream_id: '32de0dea-53cb-4b21-89a4-9e1819c043bc',
      ...content,
    };
  },
  start: {
    user_id: '3e6f995f-85f7-4705-9741-53b116d28237',
    call_control_id: 'v3:T02llQxIyaRkhfRKxgAP8nY511EhFLizdvdUKJiSw8d6A9BborherQ',
    call_session_id: 'ff55a038-6f5d-11ef-9692-02420aeffb1f',
    from: '+12025550123',
    to: '+12025550101',
    tags: [],
    custom_parameters: { ticket: 'secret' },
    media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
  },
} satisfies CarrierWords;

/** Our end of the WebSocket of a carrier. */
class FakeSocket
  extends EventEmitter<{ message: [StreamData, boolean]; pong: []; close: [number]; error: [Error] }>
  implements StreamSocket
{
  bufferedAmount = 0;
  closed: number | undefined | null = null;
  readonly sent: Record<string, unknown>[] = [];

  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }
  ping(): void {}
  terminate(): void {}
  close(code?: number): void {
    this.closed ??= code;
  }
  of(event: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message['event'] === event);
  }
  says(message: unknown): void {
    this.emit('message', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), false);
  }
}

/** A carrier that plays what it gets at the pace of the clock, and echoes marks. */
export class FakeCarrier {
  readonly socket = new FakeSocket();
  readonly heard: number[] = [];
  isEchoing = true;
  readonly #words: CarrierWords;
  #number = 0;
  #chunk = 0;
  #timestampMs = 0;
  #read = 0;
  #buffer: (Int16Array | string)[] = [];
  readonly #due: string[] = [];

  constructor(words: CarrierWords) {
    this.#words = words;
  }

  tell(event: string, content: object = {}): void {
    this.#number += 1;
    this.socket.says(this.#words.about(event, this.#number, content));
  }

  start(changes: object = {}): void {
    this.socket.says({ event: 'connected', version: '1.0.0' });
    this.tell('start', { start: { ...this.#words.start, ...changes } });
  }

  say(samples: Int16Array, { skipMs = 0 } = {}): void {
    this.#timestampMs += skipMs;
    this.tell('media', { media: this.frame(samples) });
  }

  /** The next frame of the caller, to be told later or never. */
  frame(samples: Int16Array): object {
    this.#chunk += 1;
    const payload = new Uint8Array(samples.length);
    encodeG711('PCMU', samples, payload);
    const timestamp = String(this.#timestampMs);
    this.#timestampMs += samples.length / 8;
    return {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp,
      payload: Buffer.from(payload).toString('base64'),
    };
  }

  /** 20 ms pass. */
  play(): void {
    for (const message of this.socket.sent.slice(this.#read)) this.#take(message);
    this.#read = this.socket.sent.length;
    this.#echo();
    const frame = this.#buffer.shift();
    this.heard.push(...(frame instanceof Int16Array ? frame : new Int16Array(160)));
    this.#echo();
  }

  #take(message: Record<string, unknown>): void {
    const { event, media, mark } = message as {
      event: string;
      media: { payload: string };
      mark: { name: string };
    };
    if (event === 'clear') {
      for (const item of this.#buffer)
        if (typeof item === 'string') this.tell('mark', { mark: { name: item } });
      this.#buffer = [];
    } else if (event === 'mark') this.#buffer.push(mark.name);
    else {
      const payload = Buffer.from(media.payload, 'base64');
      const samples = new Int16Array(payload.length);
      decodeG711('PCMU', payload, samples);
      this.#buffer.push(samples);
    }
  }

  #echo(): void {
    while (typeof this.#buffer[0] === 'string') this.#due.push(String(this.#buffer.shift()));
    if (this.isEchoing) for (const name of this.#due.splice(0)) this.tell('mark', { mark: { name } });
  }
}

/** A leg whose stream has started. @param changes - of what it starts with */
export async function connectCarrier(words: CarrierWords, changes: object = {}) {
  const clock = new ManualClock();
  const carrier = new FakeCarrier(words);
  const stream = new CarrierStream(carrier.socket, { clock, protocol: words.protocol });
  carrier.start(changes);
  const start = await stream.started;
  if (!start) throw new Error('The stream has not started');
  const leg = createCarrierLeg(stream, {
    start,
    from: '+12025550123',
    to: '+12025550101',
    clock,
    log: silentLog,
  });
  /** Lets frames go by while the caller says `samples`, then silence. */
  const pass = (frames: number, samples = new Int16Array(0)): void => {
    for (let n = 0; n < frames; n++) {
      const frame = new Int16Array(160);
      frame.set(samples.subarray(n * 160, (n + 1) * 160));
      carrier.say(frame);
      clock.advance(20);
      carrier.play();
    }
  };
  return { clock, carrier, socket: carrier.socket, start, leg, pass };
}
