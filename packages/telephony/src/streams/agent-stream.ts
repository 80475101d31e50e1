/**
 * The sound of an answered leg, exchanged with an agent that was written for Twilio's Media Streams. The leg's owner passes its
 * ticks and keys; what the agent sends is played on the leg's media port.
 *
 * Nothing that an agent does costs more than a bounded amount of memory and processor time: queued sound, waiting marks,
 * messages per second and unsent bytes have limits, beyond which the stream ends with a reason.
 */
import { decodeG711, encodeG711, Resampler } from '@parley/audio';
import type { MediaPort, MediaTick } from '../call-leg.ts';
import { PlayedMarks } from './played-marks.ts';
import {
  CONNECTED,
  parseAgentMessage,
  StreamWriter,
  type AgentMessage,
  type StreamIdentity,
} from './stream-messages.ts';
import { CLOSE_CODE, textOf, type StreamData, type StreamSocket } from './stream-socket.ts';

/**
 * Why a stream ended. `closed`: the agent has closed the connection properly; `lost`: it broke, or the agent has closed it with
 * an error; `silent`: pings were not answered; `not-reading`: the agent took no sound; `flooded`: it sent more than the limits
 * allow; `invalid`: too much of what it sent is not in the protocol; `stopped`: by {@link AgentStream.stop}.
 */
export type StreamEndReason =
  | 'closed'
  | 'lost'
  | 'silent'
  | 'not-reading'
  | 'flooded'
  | 'invalid'
  | 'stopped';

/** Options of a stream. */
export interface AgentStreamOptions {
  socket: StreamSocket;
  media: Pick<MediaPort, 'sampleRateHz' | 'frameSamples' | 'play' | 'clear'>;
  about: StreamIdentity;
  /** Called once. Nothing is played or sent afterwards. */
  onEnd: (reason: StreamEndReason) => void;
}

const FRAME_MS = 20;
/** The rate of the protocol. */
const STREAM_RATE_HZ = 8000;
/** Sound of the agent that waits to be played, seconds; 2 MB. */
const MOST_QUEUED_SECONDS = 120;
/** Silence before sound that begins, frames: it evens out messages that arrive at uneven intervals. */
const CUSHION_FRAMES = 2;
/** Marks that wait to be echoed. */
const MOST_MARKS = 1_000;
/** Messages at once, and how many more each frame allows: 1,000 per second. Sound in real time needs 50 per second. */
const MESSAGE_BURST = 6_000;
const MESSAGES_PER_FRAME = 20;
/** Messages outside the protocol that are ignored. */
const MOST_INVALID = 100;
/** No sound is sent while more than this waits, bytes: about four seconds. */
const FULL_SOCKET_BYTES = 64_000;
/** An agent that takes no sound for this many frames (10 s) does not read. */
const NOT_READING_FRAMES = 500;
/** Frames between two pings (5 s); the kernel would hide for minutes that an agent is gone. */
const PING_FRAMES = 250;
/** An agent that has not answered for this many frames (15 s) is gone. */
const SILENT_FRAMES = 750;

/** One stream. It begins at once. */
export class AgentStream {
  readonly #options: AgentStreamOptions;
  readonly #writer: StreamWriter;
  readonly #marks = new PlayedMarks();
  readonly #toStream: Resampler | null;
  readonly #toLeg: Resampler | null;
  #isOver = false;
  #frames = 0;
  #framesSincePong = 0;
  #framesSinceSent = 0;
  #allowedMessages = MESSAGE_BURST;
  #invalid = 0;

  constructor(options: AgentStreamOptions) {
    this.#options = options;
    const { socket, about, media } = options;
    const isNarrow = media.sampleRateHz === STREAM_RATE_HZ;
    this.#toStream = isNarrow ? null : new Resampler(media.sampleRateHz, STREAM_RATE_HZ);
    this.#toLeg = isNarrow ? null : new Resampler(STREAM_RATE_HZ, media.sampleRateHz);
    this.#writer = new StreamWriter(about);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('pong', () => {
      this.#framesSincePong = 0;
    });
    socket.on('close', (code) => this.#onClose(code));
    socket.on('error', () => this.#end('lost'));
    this.#send(CONNECTED);
    this.#send(this.#writer.start());
  }

  /** The newest turn that was played on the media port. */
  get lastTurn(): number {
    return this.#marks.turn;
  }

  /** A frame of the leg, in both directions. */
  tick(tick: MediaTick): void {
    if (this.#isOver) return;
    for (const name of this.#marks.tick(tick)) this.#send(this.#writer.mark(name));
    this.#allowedMessages = Math.min(MESSAGE_BURST, this.#allowedMessages + MESSAGES_PER_FRAME);
    this.#sendSound(tick.received);
    this.#watch();
  }

  /** The caller has pressed a key. */
  dtmf(digit: string): void {
    if (!this.#isOver) this.#send(this.#writer.dtmf(digit));
  }

  /** The call has ended, or goes on without the agent. */
  stop(): void {
    if (this.#isOver) return;
    this.#send(this.#writer.stop());
    this.#end('stopped');
  }

  #sendSound(received: Int16Array): void {
    const { socket } = this.#options;
    const timestampMs = this.#frames * FRAME_MS;
    this.#frames += 1;
    this.#framesSinceSent += 1;
    const samples = resampled(this.#toStream, received);
    if (socket.bufferedAmount > FULL_SOCKET_BYTES) return;
    this.#framesSinceSent = 0;
    const payload = new Uint8Array(samples.length);
    encodeG711('PCMU', samples, payload);
    this.#send(this.#writer.media(payload, timestampMs));
  }

  #watch(): void {
    this.#framesSincePong += 1;
    if (this.#framesSinceSent >= NOT_READING_FRAMES) return this.#end('not-reading');
    if (this.#framesSincePong >= SILENT_FRAMES) return this.#end('silent');
    if (this.#frames % PING_FRAMES === 0) this.#options.socket.ping();
  }

  #take(data: StreamData, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#allowedMessages -= 1;
    if (this.#allowedMessages < 0) return this.#end('flooded');
    const message = isBinary ? null : parseAgentMessage(textOf(data), this.#options.about.streamSid);
    if (message) return this.#follow(message);
    this.#invalid += 1;
    if (this.#invalid > MOST_INVALID) this.#end('invalid');
  }

  #follow(message: AgentMessage): void {
    switch (message.type) {
      case 'media':
        return this.#play(message.payload);
      case 'mark':
        if (this.#marks.add(message.name)) return this.#send(this.#writer.mark(message.name));
        return this.#marks.size > MOST_MARKS ? this.#end('flooded') : undefined;
      case 'clear':
        this.#options.media.clear();
        for (const name of this.#marks.clear()) this.#send(this.#writer.mark(name));
    }
  }

  #play(payload: Uint8Array): void {
    const { media } = this.#options;
    const narrow = new Int16Array(payload.length);
    decodeG711('PCMU', payload, narrow);
    const samples = resampled(this.#toLeg, narrow);
    if (samples.length === 0) return;
    const queued = this.#marks.queuedSamples + samples.length;
    if (queued > MOST_QUEUED_SECONDS * media.sampleRateHz) return this.#end('flooded');
    if (this.#marks.queuedSamples === 0) this.#give(new Int16Array(CUSHION_FRAMES * media.frameSamples));
    this.#give(samples);
  }

  #give(samples: Int16Array): void {
    this.#marks.give(samples.length);
    this.#options.media.play(this.#marks.turn, samples);
  }

  #send(text: string): void {
    this.#options.socket.send(text);
  }

  #onClose(code: number): void {
    this.#end(code === CLOSE_CODE.normal || code === CLOSE_CODE.none ? 'closed' : 'lost');
  }

  #end(reason: StreamEndReason): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { socket, media, onEnd } = this.#options;
    if (reason === 'not-reading' || reason === 'silent' || reason === 'flooded') socket.terminate();
    else if (reason === 'stopped' || reason === 'closed') socket.close(CLOSE_CODE.normal);
    else socket.close(CLOSE_CODE.policyViolation, reason);
    if (reason !== 'closed') media.clear();
    onEnd(reason);
  }
}

/** @returns an array of its own */
function resampled(resampler: Resampler | null, samples: Int16Array): Int16Array {
  if (!resampler) return samples;
  const output = new Int16Array(resampler.maxOutput(samples.length));
  return output.subarray(0, resampler.processInto(samples, output));
}
