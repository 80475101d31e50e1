/**
 * Splits a TCP byte stream into messages by Content-Length (RFC 3261 section 18.3) and recognises keep-alives (RFC 5626
 * section 4.4.1: a double CRLF is a ping, a single CRLF is a pong).
 */
import { canonicalName } from './header-names.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { findHeadEnd, unfold } from './parse-message.ts';

/** One element of a stream. */
export type Frame =
  | { type: 'message'; bytes: Uint8Array }
  | { type: 'last-message'; bytes: Uint8Array } // a head without a usable Content-Length, or with one that is too large: what follows is not read
  | { type: 'ping' } // answer with one CRLF
  | { type: 'pong' };

/** The stream cannot be split into messages any more; the connection must be closed. */
export class FramingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FramingError';
  }
}

const CR = 13;
const LF = 10;
const FIRST_CAPACITY_BYTES = 2048;
/** CRLF CRLF. */
const HEAD_END_BYTES = 4;

/** One per connection. Buffers the bytes of an incomplete message, at most {@link MAX_MESSAGE_BYTES}. */
export class StreamFramer {
  #store = new Uint8Array(FIRST_CAPACITY_BYTES);
  /** The pending bytes are those of the store from `#start` to `#end`. */
  #start = 0;
  #end = 0;
  /** Bytes of the pending message that have been searched for the end of its head. */
  #searched = 0;
  /** Length of the pending message, once its head is complete. */
  #messageLength: number | null = null;
  #isOver = false;

  /**
   * Takes bytes of the socket and returns the elements that they complete. After a last message it returns nothing.
   *
   * @throws FramingError on a head that is too large
   */
  push(chunk: Uint8Array): Frame[] {
    if (this.#isOver) return [];
    this.#append(chunk);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame);
    if (!this.#isOver && this.#pending.length > MAX_MESSAGE_BYTES)
      throw new FramingError('The message is too large');
    return frames;
  }

  #next(): Frame | null {
    if (this.#isOver) return null;
    if (this.#pending[0] === CR) return this.#nextKeepAlive();
    this.#messageLength ??= this.#findMessageLength();
    if (this.#messageLength === null || this.#pending.length < this.#messageLength) return null;
    const bytes = this.#take(this.#messageLength);
    return { type: this.#isOver ? 'last-message' : 'message', bytes };
  }

  /** Searches only new bytes, so that a message in many small chunks is not searched again for each of them. */
  #findMessageLength(): number | null {
    const headEnd = findHeadEnd(this.#pending, this.#searched);
    this.#searched = Math.max(0, this.#pending.length - HEAD_END_BYTES);
    if (headEnd === -1) return null;
    const headLength = headEnd + HEAD_END_BYTES;
    if (headLength > MAX_MESSAGE_BYTES) throw new FramingError('The message is too large');
    const bodyLength = contentLength(this.#pending.subarray(0, headEnd));
    this.#isOver = bodyLength === null || headLength + bodyLength > MAX_MESSAGE_BYTES;
    return this.#isOver ? headLength : headLength + (bodyLength ?? 0);
  }

  /** A ping that is split over two chunks counts as two pongs. This is harmless: the peer sends another one. */
  #nextKeepAlive(): Frame | null {
    if (this.#pending.length < 2) return null;
    if (this.#pending[1] !== LF) throw new FramingError('A message begins with a stray carriage return');
    const isPing = this.#pending[2] === CR && this.#pending[3] === LF;
    this.#take(isPing ? 4 : 2);
    return { type: isPing ? 'ping' : 'pong' };
  }

  get #pending(): Uint8Array {
    return this.#store.subarray(this.#start, this.#end);
  }

  /** The store doubles when it is full, so that a byte is not copied again for each chunk that follows it. */
  #append(chunk: Uint8Array): void {
    const needed = this.#end - this.#start + chunk.length;
    if (this.#end + chunk.length > this.#store.length) {
      const store = new Uint8Array(Math.max(this.#store.length, 2 * needed));
      store.set(this.#pending);
      this.#store = store;
      this.#end -= this.#start;
      this.#start = 0;
    }
    this.#store.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #take(length: number): Uint8Array {
    const taken = this.#pending.slice(0, length);
    this.#start += taken.length;
    if (this.#start === this.#end) this.#start = this.#end = 0;
    this.#searched = 0;
    this.#messageLength = null;
    return taken;
  }
}

function contentLength(head: Uint8Array): number | null {
  for (const line of unfold(Buffer.from(head).toString('latin1')).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon === -1 || canonicalName(line.slice(0, colon).trim()) !== 'Content-Length') continue;
    const value = line.slice(colon + 1).trim();
    return /^\d{1,9}$/.test(value) ? Number(value) : null;
  }
  return null;
}
