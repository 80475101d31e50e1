/**
 * Keeps the SIP messages of each call for its trace. Messages are only copied while the call runs; they are read, and secrets
 * removed, when the trace is taken after the call. All memory is bounded: per message, per call, and for calls whose traces are never taken.
 */
import type { Clock } from '@parley/runtime';
import type { Destination, TransportName } from '@parley/sip';
import { readableMessage } from './readable-message.ts';

/** One SIP message of a call, as text without secrets. */
export interface TracedMessage {
  /** Wall time, milliseconds since 1970. */
  atMs: number;
  isSent: boolean;
  transport: TransportName;
  local: { host: string; port: number };
  remote: { host: string; port: number };
  text: string;
  /** The message was longer than the limit; `text` is its beginning. */
  isTruncated: boolean;
}

/** The messages of one call, in order. */
export interface SipTrace {
  messages: TracedMessage[];
  /** Messages in the middle of the call that were dropped because of the limits. */
  omitted: number;
}

/** The limits of one trace. */
export const TRACE_LIMITS = { messages: 100, messageBytes: 4096, bytes: 65_536 } as const;
/** When a limit is reached, the first messages stay, and the oldest of the others is dropped: both ends of a call matter. */
const KEPT_FIRST = 30;
/** INVITEs of calls that have no leg yet; a flood replaces its own. */
const MOST_PENDING = 64;
/** Traces of ended legs that were not taken, for example of refused calls. */
const MOST_ENDED = 128;

const CALL_ID = /^(?:call-id|i)[ \t]*:[ \t]*([^\s]{1,255})[ \t]*\r?$/im;
/** An INVITE begins with its method. */
const INVITE = 'INVITE ';

interface KeptMessage extends Omit<TracedMessage, 'text'> {
  bytes: Uint8Array;
}

interface KeptCall {
  messages: KeptMessage[];
  bytes: number;
  omitted: number;
}

/** The traces of one SIP endpoint. */
export class SipTraces {
  readonly #clock: Clock;
  readonly #local: () => { host: string; port: number };
  readonly #pending = new Map<string, KeptCall>();
  readonly #live = new Map<string, KeptCall>();
  readonly #ended = new Map<string, KeptCall>();

  /** @param local - the address at which others reach the endpoint */
  constructor(clock: Clock, local: () => { host: string; port: number }) {
    this.#clock = clock;
    this.#local = local;
  }

  /** Copies a message, if it belongs to a call. */
  note(direction: 'in' | 'out', bytes: Uint8Array, peer: Destination): void {
    // A copy: `slice` of a Buffer would share the memory of the socket.
    const kept = new Uint8Array(bytes.subarray(0, TRACE_LIMITS.messageBytes));
    const text = Buffer.from(kept.buffer).toString('latin1');
    const callId = CALL_ID.exec(text)?.[1];
    if (callId === undefined) return;
    const call = this.#find(callId) ?? (text.startsWith(INVITE) ? this.#expect(callId) : null);
    if (!call) return;
    const { transport, host, port } = peer;
    add(call, {
      atMs: this.#clock.now(),
      isSent: direction === 'out',
      transport,
      local: this.#local(),
      remote: { host, port },
      bytes: kept,
      isTruncated: bytes.length > TRACE_LIMITS.messageBytes,
    });
  }

  /** A leg with this Call-ID begins. */
  begin(callId: string): void {
    if (this.#live.has(callId)) return;
    this.#live.set(callId, this.#pending.get(callId) ?? { messages: [], bytes: 0, omitted: 0 });
    this.#pending.delete(callId);
  }

  /** The leg has ended. Its last messages may still follow. */
  end(callId: string): void {
    const call = this.#live.get(callId);
    if (!call) return;
    this.#live.delete(callId);
    setBounded(this.#ended, callId, call, MOST_ENDED);
  }

  /** Whether {@link take} would find it. */
  has(callId: string): boolean {
    return this.#live.has(callId) || this.#ended.has(callId);
  }

  /** Gives the trace away; null when there is none, or not any more. */
  take(callId: string): SipTrace | null {
    const call = this.#live.get(callId) ?? this.#ended.get(callId);
    this.#live.delete(callId);
    this.#ended.delete(callId);
    if (!call) return null;
    return {
      omitted: call.omitted,
      messages: call.messages.map(({ bytes, ...message }) => ({ ...message, text: readableMessage(bytes) })),
    };
  }

  #find(callId: string): KeptCall | undefined {
    return this.#live.get(callId) ?? this.#ended.get(callId) ?? this.#pending.get(callId);
  }

  #expect(callId: string): KeptCall {
    const call: KeptCall = { messages: [], bytes: 0, omitted: 0 };
    setBounded(this.#pending, callId, call, MOST_PENDING);
    return call;
  }
}

function add(call: KeptCall, message: KeptMessage): void {
  call.messages.push(message);
  call.bytes += message.bytes.length;
  while (call.messages.length > TRACE_LIMITS.messages || call.bytes > TRACE_LIMITS.bytes) {
    const [dropped] = call.messages.splice(Math.min(KEPT_FIRST, call.messages.length - 2), 1);
    call.bytes -= dropped?.bytes.length ?? 0;
    call.omitted += 1;
  }
}

/** The oldest entry makes room. */
function setBounded(map: Map<string, KeptCall>, key: string, value: KeptCall, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
