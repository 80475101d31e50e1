/**
 * Callers of a simulated Twilio whose calls are streamed. It asks for TwiML as Twilio does, with a signed form, follows it, and
 * plays what it receives in real time, with the echoes of marks. It checks every answer and message against the documentation
 * and collects what is wrong, and it misbehaves on request.
 *
 * @see https://www.twilio.com/docs/voice/twiml/stream
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
import { createHmac } from 'node:crypto';
import { decodeG711, encodeG711 } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { WebSocket } from 'ws';
import type { CarrierSimulator } from './carrier-simulator.ts';
import { TWILIO_ACCOUNT } from './twilio-account.ts';

/** How a call is made, and what goes wrong with it. */
export interface SimulatedCall {
  from: string;
  to: string;
  /** By which the form and the handshake are signed. Default: the right token. */
  token?: string;
  /** Default: a new one. */
  callSid?: string;
  /** Asks for TwiML and never connects. */
  neverConnects?: boolean;
  /** Sends this ticket in place of the one of the TwiML. */
  ticket?: string;
  /** Sends `start` twice. */
  repeatsStart?: boolean;
  /** Sends the caller's sound in bursts of that many frames. */
  burstFrames?: number;
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

const FRAME_SAMPLES = 160;
const FRAME_MS = 20;
const STREAM =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect><Stream url="([^"?]+)">((?:<Parameter name="[^"]+" value="[^"]*"\/>)*)<\/Stream><\/Connect><Hangup\/><\/Response>$/;
const REJECT =
  /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Reject reason="(busy|rejected)"\/><\/Response>$/;
let calls = 0;

/** As Twilio signs: parameters sorted by name. */
export function signAsCarrier(token: string, url: string, fields: Record<string, string> = {}): string {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => name + fields[name])
    .join('');
  return createHmac('sha1', token)
    .update(url + text)
    .digest('base64');
}

/** 34 characters, as those of the simulated Twilio. */
export function newCallSid(): string {
  calls += 1;
  return `CA${(Date.now() * 1000 + calls).toString(16).padStart(32, '0')}`;
}

/** @throws Error when the number is not connected to an application, or the answer is no TwiML */
export async function placeTwilioCall(carrier: CarrierSimulator, call: SimulatedCall): Promise<CallVerdict> {
  const { token = TWILIO_ACCOUNT.token, callSid = newCallSid() } = call;
  const voiceUrl = findVoiceUrl(carrier, call.to);
  const fields = {
    AccountSid: TWILIO_ACCOUNT.sid,
    ApiVersion: '2010-04-01',
    CallSid: callSid,
    CallStatus: 'ringing',
    Called: call.to,
    Caller: call.from,
    Direction: 'inbound',
    From: call.from,
    To: call.to,
    ToCity: '',
  };
  const response = await fetch(voiceUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': signAsCarrier(token, voiceUrl, fields),
    },
    body: new URLSearchParams(fields),
  });
  const twiml = await response.text();
  if (response.status !== 200) return { status: response.status };
  if (!/^(text|application)\/xml\b/.test(response.headers.get('content-type') ?? ''))
    throw new Error('The answer is no XML');
  const [, rejected] = REJECT.exec(twiml) ?? [];
  if (rejected !== undefined) return { rejected };
  return { stream: streamByTwiml(twiml, { ...call, callSid, token }) };
}

/** Follows TwiML that streams a call. @throws Error for any other */
export function streamByTwiml(twiml: string, call: SimulatedCall & { callSid: string }): StreamedCall {
  const [, url, parameters] = STREAM.exec(twiml) ?? [];
  if (url === undefined || parameters === undefined) throw new Error(`This TwiML is not followed: ${twiml}`);
  const given = [...parameters.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const customParameters = Object.fromEntries(given) as Record<string, string>;
  const { token = TWILIO_ACCOUNT.token } = call;
  return new Streamed({ ...call, token, url, customParameters });
}

function findVoiceUrl({ world }: CarrierSimulator, to: string): string {
  const number = world.owned.find(({ phoneNumber }) => phoneNumber === to);
  const application = [...world.resources.values()].flat().find(({ sid }) => sid === number?.applicationRef);
  if (!number?.applicationRef || !application) throw new Error(`${to} is not connected to an application`);
  if (application['voice_method'] !== 'POST') throw new Error('The application does not use POST');
  return String(application['voice_url']);
}

interface StreamOptions extends SimulatedCall {
  callSid: string;
  token: string;
  url: string;
  customParameters: Record<string, string>;
}

class Streamed implements StreamedCall {
  readonly callSid: string;
  readonly faults: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly ended: Promise<number | null>;
  readonly #options: StreamOptions;
  readonly #socket: WebSocket | null;
  readonly #streamSid = newCallSid().replace('CA', 'MZ');
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
    const { url, token } = options;
    const ended = Promise.withResolvers<number | null>();
    this.ended = ended.promise;
    if (!/^wss:|^ws:\/\/127\.0\.0\.1[:/]/.test(url)) this.faults.push(`${url} is not a secure address`);
    this.#socket = options.neverConnects
      ? null
      : new WebSocket(url, { headers: { 'x-twilio-signature': signAsCarrier(token, url) } });
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
    this.#tell('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  hangUp(): void {
    const { callSid } = this;
    this.#tell('stop', { stop: { accountSid: TWILIO_ACCOUNT.sid, callSid } });
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
    this.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    this.#start();
    if (this.#options.repeatsStart) this.#start();
    this.#schedule(systemClock.monotonic());
  }

  #start(): void {
    const { ticket, customParameters, callSid } = this.#options;
    const start = {
      accountSid: TWILIO_ACCOUNT.sid,
      streamSid: this.#streamSid,
      callSid,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters: ticket === undefined ? customParameters : { ...customParameters, ticket },
    };
    this.#tell('start', { start });
  }

  /** Frames of 20 ms on an absolute schedule; missed ones follow at once. */
  #schedule(beganMs: number): void {
    const dueMs = beganMs + (this.#frames + 1) * FRAME_MS;
    systemClock.after(Math.max(0, dueMs - systemClock.monotonic()), () => {
      if (this.#isOver) return;
      this.#playFrame();
      const { burstFrames = 1 } = this.#options;
      this.#frames += 1;
      if (this.#frames % burstFrames === 0)
        for (let frame = this.#frames - burstFrames; frame < this.#frames; frame++) this.#sendFrame(frame);
      this.#schedule(beganMs);
    });
  }

  #sendFrame(frame: number): void {
    const samples = new Int16Array(FRAME_SAMPLES);
    samples.set(this.#said.splice(0, FRAME_SAMPLES));
    const payload = new Uint8Array(FRAME_SAMPLES);
    encodeG711('PCMU', samples, payload);
    const media = { track: 'inbound', chunk: String(frame + 1), timestamp: String(frame * FRAME_MS) };
    this.#tell('media', { media: { ...media, payload: Buffer.from(payload).toString('base64') } });
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
    const about = { event, sequenceNumber: String(this.#sequenceNumber), streamSid: this.#streamSid };
    this.send(JSON.stringify({ ...about, ...content }));
  }

  #take(text: string | null): void {
    if (text === null) return void this.faults.push('A binary message');
    const message = JSON.parse(text) as Record<string, unknown>;
    const event = String(message['event']);
    this.counts[event] = (this.counts[event] ?? 0) + 1;
    if (message['streamSid'] !== this.#streamSid) this.faults.push(`${event} names another stream`);
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
