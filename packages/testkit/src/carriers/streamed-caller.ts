/**
 * The caller of a call that a simulated carrier streams. It plays what it receives in real time, with the echoes of marks,
 * checks every message against the documentation of the carrier and collects what is wrong, and it misbehaves on request.
 */
import { decodeG711, encodeG711 } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { WebSocket } from 'ws';

/** What goes wrong with a stream. */
export interface StreamMisbehaviour {
  /** Asks for instructions and never connects. */
  neverConnects?: boolean;
  /** Sends this ticket in place of the one of the instructions. */
  ticket?: string;
  /** Sends `start` twice. */
  repeatsStart?: boolean;
  /** Sends the caller's sound in bursts of that many frames. */
  burstFrames?: number;
  /** Sends the frames of each burst in the wrong order. */
  swapsFrames?: boolean;
}

/** A call that is streamed. */
export interface StreamedCall {
  readonly callSid: string;
  /** What is not as documented. */
  readonly faults: readonly string[];
  /** How many messages of each event came. */
  readonly counts: Readonly<Record<string, number>>;
  /** The code with which the stream was closed; null for a handshake that was refused. */
  readonly ended: Promise<number | null>;
  /** The caller says this, after what was said before. */
  say(samples: Int16Array): void;
  press(digit: string): void;
  hangUp(): void;
  /** Breaks the connection. */
  drop(): void;
  /** Sends a text as it is. */
  send(text: string): void;
  /** What the caller has heard. */
  heard(): Int16Array;
}

/** The answer to a call: refused by `<Reject>` or by HTTP, or streamed. */
export type CallVerdict = { rejected: string } | { status: number } | { stream: StreamedCall };

/** The messages of one carrier, for one stream. */
export interface SimulatedWire {
  /** What `connected` contains besides its version. */
  connected: object;
  start(parameters: Record<string, string>): object;
  dtmf(digit: string): object;
  stop: object;
  /** What names the stream and the message. */
  about(sequenceNumber: string): object;
  /** @returns what is wrong with a message of ours besides its sound or its mark */
  check(message: Record<string, unknown>): string | null;
}

/** One stream. */
export interface StreamOptions extends StreamMisbehaviour {
  callSid: string;
  url: string;
  /** The headers of the handshake. */
  headers: Record<string, string>;
  /** Those of the instructions. */
  parameters: Record<string, string>;
  wire: SimulatedWire;
}

const FRAME_SAMPLES = 160;
const FRAME_MS = 20;

/** The `<Parameter>` elements of a stream. */
export function readParameters(text: string): Record<string, string> {
  const found = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, value])) as Record<string, string>;
}

/** See {@link StreamedCall}. */
export class StreamedCaller implements StreamedCall {
  readonly callSid: string;
  readonly faults: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly ended: Promise<number | null>;
  readonly #options: StreamOptions;
  readonly #socket: WebSocket | null;
  #isOver = false;
  #sequenceNumber = 0;
  #frames = 0;
  /** What the caller has still to say. */
  #said: number[] = [];
  /** What is to be played: frames, and names of marks. */
  #buffer: (Int16Array | string)[] = [];
  readonly #heard: number[] = [];

  constructor(options: StreamOptions) {
    this.#options = options;
    this.callSid = options.callSid;
    const { url, headers } = options;
    const ended = Promise.withResolvers<number | null>();
    this.ended = ended.promise;
    if (!/^wss:|^ws:\/\/127\.0\.0\.1[:/]/.test(url)) this.faults.push(`${url} is not a secure address`);
    this.#socket = options.neverConnects ? null : new WebSocket(url, { headers });
    const socket = this.#socket;
    if (!socket) return;
    socket.on('open', () => this.#begin());
    socket.on('message', (data: Buffer, isBinary) => this.#take(isBinary ? null : data.toString()));
    socket.on('close', (code) => {
      this.#isOver = true;
      ended.resolve(code);
    });
    socket.on('error', () => {
      if (socket.readyState === socket.CONNECTING || this.#sequenceNumber === 0) ended.resolve(null);
    });
  }

  say(samples: Int16Array): void {
    for (const sample of samples) this.#said.push(sample);
  }

  press(digit: string): void {
    this.#tell('dtmf', this.#options.wire.dtmf(digit));
  }

  hangUp(): void {
    this.#tell('stop', { stop: this.#options.wire.stop });
    this.#isOver = true;
    this.#socket?.close(1000);
  }

  drop(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  heard(): Int16Array {
    return Int16Array.from(this.#heard);
  }

  #begin(): void {
    this.send(JSON.stringify({ event: 'connected', version: '1.0.0', ...this.#options.wire.connected }));
    this.#start();
    if (this.#options.repeatsStart) this.#start();
    this.#schedule(systemClock.monotonic());
  }

  #start(): void {
    const { ticket, parameters, wire } = this.#options;
    this.#tell('start', { start: wire.start(ticket === undefined ? parameters : { ...parameters, ticket }) });
  }

  /** Frames of 20 ms on an absolute schedule; missed ones follow at once. */
  #schedule(beganMs: number): void {
    const dueMs = beganMs + (this.#frames + 1) * FRAME_MS;
    systemClock.after(Math.max(0, dueMs - systemClock.monotonic()), () => {
      if (this.#isOver) return;
      this.#playFrame();
      const { burstFrames = 1, swapsFrames = false } = this.#options;
      this.#frames += 1;
      if (this.#frames % burstFrames === 0) {
        const burst = Array.from({ length: burstFrames }, (_, at) =>
          this.#takeFrame(this.#frames - burstFrames + at),
        );
        for (const media of swapsFrames ? burst.toReversed() : burst) this.#tell('media', { media });
      }
      this.#schedule(beganMs);
    });
  }

  #takeFrame(frame: number): object {
    const samples = new Int16Array(FRAME_SAMPLES);
    samples.set(this.#said.splice(0, FRAME_SAMPLES));
    const payload = new Uint8Array(FRAME_SAMPLES);
    encodeG711('PCMU', samples, payload);
    const media = { track: 'inbound', chunk: String(frame + 1), timestamp: String(frame * FRAME_MS) };
    return { ...media, payload: Buffer.from(payload).toString('base64') };
  }

  #playFrame(): void {
    this.#echoDueMarks();
    const next = this.#buffer.shift();
    this.#heard.push(...(next instanceof Int16Array ? next : new Int16Array(FRAME_SAMPLES)));
    this.#echoDueMarks();
  }

  #echoDueMarks(): void {
    while (typeof this.#buffer[0] === 'string') this.#echo(String(this.#buffer.shift()));
  }

  #echo(name: string): void {
    this.#tell('mark', { mark: { name } });
  }

  #tell(event: string, content: object): void {
    if (this.#isOver) return;
    this.#sequenceNumber += 1;
    const about = this.#options.wire.about(String(this.#sequenceNumber));
    this.send(JSON.stringify({ event, ...about, ...content }));
  }

  #take(text: string | null): void {
    if (text === null) return void this.faults.push('A binary message');
    const message = JSON.parse(text) as Record<string, unknown>;
    const event = String(message['event']);
    this.counts[event] = (this.counts[event] ?? 0) + 1;
    const fault = this.#options.wire.check(message);
    if (fault !== null) this.faults.push(`${event} ${fault}`);
    if (event === 'media') return this.#takeMedia(message['media'] as Record<string, unknown> | undefined);
    if (event === 'mark') return this.#takeMark(message['mark'] as Record<string, unknown> | undefined);
    if (event !== 'clear') return void this.faults.push(`There is no message ${event}`);
    const dropped = this.#buffer.filter((item) => typeof item === 'string');
    this.#buffer = [];
    for (const name of dropped) this.#echo(name);
  }

  #takeMedia(media: Record<string, unknown> = {}): void {
    const { payload } = media;
    if (typeof payload !== 'string' || Object.keys(media).length !== 1)
      return void this.faults.push('A media message without payload, or with more');
    const bytes = Buffer.from(payload, 'base64');
    if (bytes.length === 0 || bytes.toString('base64') !== payload) this.faults.push('Payload is not base64');
    const samples = new Int16Array(bytes.length);
    decodeG711('PCMU', bytes, samples);
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES)
      this.#buffer.push(samples.slice(at, at + FRAME_SAMPLES));
  }

  #takeMark({ name }: Record<string, unknown> = {}): void {
    if (typeof name !== 'string' || name === '') return void this.faults.push('A mark without a name');
    this.#buffer.push(name);
  }
}
