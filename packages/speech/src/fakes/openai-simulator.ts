/**
 * A loopback server that speaks the OpenAI wire protocol and can be told to misbehave: language models, voices and
 * recognisers of this kind are tested against it, and the whole house can use it where a hosted provider would stand.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWav, type WavSound } from '@parley/audio';
import { pause, type Clock } from '@parley/runtime';
import {
  chatReply,
  jsonReply,
  speechReply,
  type SimulatedAnswer,
  type SimulatedReply,
} from './openai-wire.ts';

/** How the next reply goes wrong. `after` counts the pieces sent before that. */
export type SimulatedFault =
  | { type: 'status'; status: number; message: string }
  | { type: 'stall'; after: number } // says nothing more and keeps the connection
  | { type: 'garbage'; after: number } // sends what is not in the protocol, then ends
  | { type: 'cut'; after: number } // breaks the connection
  | { type: 'unfinished'; after: number }; // ends in good order, but early

/** What came in. */
export interface SimulatedRequest {
  path: string;
  authorization: string | undefined;
  /** The JSON body, or the text fields of the form. */
  body: Record<string, unknown>;
  /** The file of a transcription request. */
  sound: WavSound | null;
  /** Whether the client took the whole reply or went away before its end. */
  outcome: Promise<'finished' | 'aborted'>;
}

/** What the simulated models do, and at which pace. Without a function, they say something fixed. */
export interface OpenAiSimulatorOptions {
  clock: Clock;
  chat?: (body: Record<string, unknown>) => SimulatedAnswer;
  /** @param index - counts the transcriptions from 0 */
  transcribe?: (sound: WavSound, index: number) => string;
  /** Before the first piece of each reply, milliseconds. */
  firstAfterMs?: number;
  /** Between pieces, milliseconds. */
  eachAfterMs?: number;
}

/** Serves one reply after the other, several at once. */
export class OpenAiSimulator {
  readonly requests: SimulatedRequest[] = [];
  readonly #options: OpenAiSimulatorOptions;
  readonly #server: Server;
  readonly #faults: SimulatedFault[] = [];
  #transcriptions = 0;
  readonly #arrivals = new EventEmitter();

  constructor(options: OpenAiSimulatorOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** Listens on loopback, on a port of the system's choice. */
  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Where clients find it, as providers write it: up to `/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Faults are used up by the next replies, in order. */
  failNext(...faults: SimulatedFault[]): void {
    this.#faults.push(...faults);
  }

  /** Resolves when the request of this number (from 0) has come. */
  async request(index: number): Promise<SimulatedRequest> {
    for (;;) {
      const found = this.requests[index];
      if (found) return found;
      await once(this.#arrivals, 'request');
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const outcome = once(response, 'close').then(() => (response.writableFinished ? 'finished' : 'aborted'));
    const received = { ...(await readRequest(request)), outcome };
    const fault = this.#faults.shift();
    this.requests.push(received);
    this.#arrivals.emit('request');
    const reply = fault?.type === 'status' ? null : this.#reply(received);
    if (reply) return this.#send(response, reply, fault);
    const failure = fault?.type === 'status' ? fault : { status: 404, message: 'Unknown path' };
    const body = { error: { message: failure.message, type: 'simulated', param: null, code: null } };
    response.writeHead(failure.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #reply({ path, body, sound }: SimulatedRequest): SimulatedReply | null {
    switch (path) {
      case '/v1/chat/completions':
        return chatReply(this.#options.chat?.(body) ?? { text: 'Hello, how can I help you?' });
      case '/v1/audio/speech':
        return speechReply(String(body['input']), Number(body['speed'] ?? 1));
      case '/v1/audio/transcriptions': {
        const index = this.#transcriptions++;
        return jsonReply({ text: sound ? (this.#options.transcribe?.(sound, index) ?? 'hello') : '' });
      }
      default:
        return null;
    }
  }

  async #send(response: ServerResponse, reply: SimulatedReply, fault?: SimulatedFault): Promise<void> {
    const { clock, firstAfterMs, eachAfterMs } = this.#options;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.writeHead(200, { 'content-type': reply.contentType }).flushHeaders();
    for (const [index, piece] of reply.pieces.entries()) {
      if (fault && 'after' in fault && index === fault.after) return misbehave(response, fault.type);
      const delayMs = index === 0 ? firstAfterMs : eachAfterMs;
      if (delayMs) await pause(clock, delayMs, gone.signal);
      if (gone.signal.aborted) return;
      response.write(piece);
    }
    response.end();
  }
}

function misbehave(response: ServerResponse, fault: Exclude<SimulatedFault['type'], 'status'>): void {
  switch (fault) {
    case 'stall':
      return;
    case 'garbage':
      response.end('data: {"choices": [{"delta"\n\ndata: }{\n\n');
      return;
    case 'cut':
      // What was written is sent first, so that the fault lies where the test puts it.
      response.write('', () => response.destroy());
      return;
    case 'unfinished':
      response.end();
  }
}

async function readRequest(request: IncomingMessage): Promise<Omit<SimulatedRequest, 'outcome'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const contentType = request.headers['content-type'] ?? '';
  const content = Buffer.concat(chunks);
  const common = { path: request.url ?? '', authorization: request.headers.authorization };
  if (!contentType.startsWith('multipart/')) {
    const body = JSON.parse(content.toString() || '{}') as Record<string, unknown>;
    return { ...common, body, sound: null };
  }
  const form = await new Response(content, { headers: { 'content-type': contentType } }).formData();
  const file = form.get('file');
  const sound = file instanceof File ? readWav(new Uint8Array(await file.arrayBuffer())) : null;
  return { ...common, body: Object.fromEntries(form), sound };
}
