/**
 * An agent for Twilio's Media Streams on loopback, written like Twilio's sample servers: a WebSocket server that reads `start`,
 * plays sound with `media`, and waits for its `mark`. It checks every message that it receives against the documentation and
 * collects what is wrong, and it misbehaves on request.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeG711, encodeG711 } from '@parley/audio';
import { WebSocketServer, type WebSocket } from 'ws';

/** What the agent does with what it hears. `echo`: sends it back. */
export type AgentBehaviour = 'listen' | 'echo';

/** One stream. */
export interface AgentSession {
  /** The headers of the handshake. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The content of `start`, once it has come. */
  readonly start: Readonly<Record<string, unknown>> | null;
  /** Every message, in order. */
  readonly messages: readonly Record<string, unknown>[];
  /** What is not as documented. */
  readonly faults: readonly string[];
  /** The keys of the caller. */
  readonly keys: string;
  /** The names of the marks that were echoed, in order. */
  readonly marks: readonly string[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** What the caller said: mono Int16 at 8000 Hz. */
  heard(): Int16Array;
  /** Sends sound in messages of 20 ms, at once. */
  say(samples: Int16Array): void;
  mark(name: string): void;
  clear(): void;
  /** Sends a text as it is. */
  send(text: string): void;
  close(code?: number): void;
  /** Breaks the connection like a process that was killed. */
  crash(): void;
  /** Reads nothing any more. */
  freeze(): void;
}

/** A running agent. */
export interface MediaStreamAgent {
  /** `ws://127.0.0.1:port/media?x=1` */
  url: string;
  sessions: AgentSession[];
  /** Resolves with the session of this number, from 1, once its `start` has come. */
  session(number: number): Promise<AgentSession>;
  close(): Promise<void>;
}

const FRAME_SAMPLES = 160;
const FRAME_MS = 20;

/** @param options - `secret`: with which the handshake must be signed; `refuse`: the status that answers every handshake */
export async function startMediaStreamAgent(
  options: { secret?: string; behaviour?: AgentBehaviour; refuse?: number } = {},
): Promise<MediaStreamAgent> {
  const { secret, behaviour = 'listen', refuse } = options;
  const sessions: AgentSession[] = [];
  const started: PromiseWithResolvers<AgentSession>[] = [];
  const startOf = (place: number): PromiseWithResolvers<AgentSession> =>
    (started[place] ??= Promise.withResolvers<AgentSession>());
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: (_info, done) => done(refuse === undefined, refuse),
  });
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/media?x=1`;
  server.on('connection', (socket, request) => {
    const place = sessions.length;
    const session = new Session(socket, request, { url, secret, behaviour }, () =>
      startOf(place).resolve(session),
    );
    sessions.push(session);
  });
  return {
    url,
    sessions,
    session: async (number) => startOf(number - 1).promise,
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

interface SessionSettings {
  url: string;
  secret: string | undefined;
  behaviour: AgentBehaviour;
}

class Session implements AgentSession {
  readonly headers: AgentSession['headers'];
  start: Record<string, unknown> | null = null;
  readonly messages: Record<string, unknown>[] = [];
  readonly faults: string[] = [];
  keys = '';
  readonly marks: string[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #settings: SessionSettings;
  readonly #onStart: () => void;
  readonly #payloads: Buffer[] = [];
  #sequence = 0;
  #chunks = 0;
  #lastTimestampMs = -FRAME_MS;
  #hasStopped = false;

  constructor(socket: WebSocket, request: IncomingMessage, settings: SessionSettings, onStart: () => void) {
    this.#socket = socket;
    this.#settings = settings;
    this.#onStart = onStart;
    this.headers = request.headers;
    this.#checkSignature();
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => resolve(code));
    });
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.faults.push('a binary message');
      else this.#take(JSON.parse((data as Buffer).toString('utf8')) as Record<string, unknown>);
    });
  }

  heard(): Int16Array {
    const octets = Buffer.concat(this.#payloads);
    const samples = new Int16Array(octets.length);
    decodeG711('PCMU', octets, samples);
    return samples;
  }

  say(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      const frame = samples.subarray(at, at + FRAME_SAMPLES);
      const octets = new Uint8Array(frame.length);
      encodeG711('PCMU', frame, octets);
      this.#sendEvent('media', { media: { payload: Buffer.from(octets).toString('base64') } });
    }
  }

  mark(name: string): void {
    this.#sendEvent('mark', { mark: { name } });
  }

  clear(): void {
    this.#sendEvent('clear', {});
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(code = 1000): void {
    this.#socket.close(code);
  }

  crash(): void {
    this.#socket.terminate();
  }

  freeze(): void {
    this.#socket.pause();
  }

  #sendEvent(event: string, content: Record<string, unknown>): void {
    const streamSid = this.start?.['streamSid'];
    this.#socket.send(JSON.stringify({ event, streamSid, ...content }));
  }

  #checkSignature(): void {
    const { secret, url } = this.#settings;
    if (secret === undefined) return;
    const expected = createHmac('sha1', secret).update(url).digest('base64');
    if (this.headers['x-twilio-signature'] !== expected) this.faults.push('the signature is wrong');
  }

  #take(message: Record<string, unknown>): void {
    this.messages.push(message);
    const { event } = message;
    if (this.#hasStopped) this.faults.push(`${String(event)} after stop`);
    if (this.messages.length === 1)
      return this.#expect(
        event === 'connected' && message['protocol'] === 'Call' && message['version'] === '1.0.0',
        'the first message is not connected',
      );
    this.#sequence += 1;
    this.#expect(message['sequenceNumber'] === String(this.#sequence), `wrong number of ${String(event)}`);
    if (this.messages.length === 2) return this.#takeStart(message);
    this.#expect(message['streamSid'] === this.start?.['streamSid'], `wrong streamSid of ${String(event)}`);
    this.#takeEvent(message);
  }

  #takeStart({ event, start, streamSid }: Record<string, unknown>): void {
    this.#expect(event === 'start', 'the second message is not start');
    this.start = start as Record<string, unknown>;
    const format = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    const isComplete =
      this.start['streamSid'] === streamSid &&
      /^MZ[0-9a-f]{32}$/.test(String(streamSid)) &&
      /^CA[0-9a-f]{32}$/.test(String(this.start['callSid'])) &&
      /^AC[0-9a-f]{32}$/.test(String(this.start['accountSid'])) &&
      JSON.stringify(this.start['tracks']) === '["inbound"]' &&
      JSON.stringify(this.start['mediaFormat']) === JSON.stringify(format);
    this.#expect(isComplete, 'start is not as documented');
    this.#onStart();
  }

  #takeEvent(message: Record<string, unknown>): void {
    switch (message['event']) {
      case 'media':
        return this.#takeMedia(message['media'] as Record<string, string>);
      case 'dtmf': {
        const { track, digit } = message['dtmf'] as Record<string, string>;
        this.#expect(track === 'inbound_track', 'wrong track of dtmf');
        this.keys += digit;
        return;
      }
      case 'mark':
        this.marks.push((message['mark'] as { name: string }).name);
        return;
      case 'stop':
        this.#hasStopped = true;
        this.#expect(
          (message['stop'] as Record<string, unknown>)['callSid'] === this.start?.['callSid'],
          'wrong stop',
        );
        return;
      default:
        this.faults.push(`an unknown event ${String(message['event'])}`);
    }
  }

  #takeMedia({ track, chunk, timestamp, payload = '' }: Record<string, string>): void {
    this.#chunks += 1;
    this.#expect(track === 'inbound' && chunk === String(this.#chunks), 'wrong track or chunk of media');
    this.#expect(Number(timestamp) > this.#lastTimestampMs, 'a timestamp does not increase');
    this.#lastTimestampMs = Number(timestamp);
    const octets = Buffer.from(payload, 'base64');
    this.#expect(octets.length === FRAME_SAMPLES, 'media is not 20 ms long');
    this.#payloads.push(octets);
    if (this.#settings.behaviour === 'echo') this.#sendEvent('media', { media: { payload } });
  }

  #expect(isTrue: boolean, fault: string): void {
    if (!isTrue) this.faults.push(fault);
  }
}
