/**
 * Passes the caller's audio to the recogniser, and converts its results to call time. A stream that fails is replaced by a
 * new one, of the same or of another recogniser, which receives the unanswered audio again.
 */
import { Resampler } from '@parley/audio';
import type { Recogniser, RecogniserEvent, RecogniserStream } from '@parley/speech';
import { FRAME_MS, type AudioTick } from '../audio-line.ts';
import type { ProviderChain } from '../provider-chain.ts';
import { openGuarded } from './guarded-stream.ts';
import type { RecognitionEvent } from './recognition-event.ts';

/** How much unanswered audio a new stream receives again: 2 s. */
const REPLAYED_FRAMES = 100;
const WIDE_RATE_HZ = 16_000;

/** What the feed needs. */
export interface RecogniserFeedOptions {
  sampleRateHz: number;
  recognisers: ProviderChain<Recogniser>;
  language: string;
  onEvent: (event: RecognitionEvent) => void;
  /** The stream failed; the event `recogniser.failed` follows. */
  onError: (error: unknown) => void;
}

/** A final that is requested. */
interface FinalRequest {
  /** The possible phrases, for recognisers that can choose among phrases; null for any words. */
  expected: readonly string[] | null;
  /** When the speech began, milliseconds of the call. */
  speechFromMs: number;
}

type Heard = Pick<AudioTick, 'index' | 'received'>;

interface OpenStream {
  stream: RecogniserStream;
  resampler: Resampler;
  /** Call time at which the stream's audio begins, milliseconds; null before the first frame. */
  startMs: number | null;
}

/** Opened when the call is answered, closed with the conversation; reports nothing afterwards. */
export class RecogniserFeed {
  readonly #options: RecogniserFeedOptions;
  /** The newest frames that no final covers. */
  #unanswered: Heard[] = [];
  /** A final was requested and has not arrived. */
  #owed: FinalRequest | null = null;
  /** Null once closed. Events of any other stream are ignored. */
  #open: OpenStream | null;

  constructor(options: RecogniserFeedOptions) {
    this.#options = options;
    this.#open = this.#openStream();
  }

  /**
   * Passes on one frame.
   *
   * @param wide - the same audio at 16 000 Hz, which most recognisers use and the detector needs in any case
   */
  hear({ index, received }: Heard, wide: Int16Array): void {
    if (!this.#open) return;
    if (this.#unanswered.length === REPLAYED_FRAMES) this.#unanswered.shift();
    this.#unanswered.push({ index, received });
    if (this.#open.resampler.toHz !== WIDE_RATE_HZ) return push(this.#open, { index, received });
    this.#open.startMs ??= index * FRAME_MS;
    this.#open.stream.push(wide);
  }

  /** The caller has paused: asks for a final. */
  finalise(request: FinalRequest): void {
    this.#owed = request;
    if (this.#open) finalise(this.#open, request);
  }

  /** Replaces a stream that failed. */
  reopen(isOther: boolean): void {
    if (!this.#open) return;
    this.#open.stream.close();
    if (isOther) this.#options.recognisers.replace();
    const open = this.#openStream();
    this.#open = open;
    for (const frame of this.#unanswered) push(open, frame);
    if (this.#owed) finalise(open, this.#owed);
  }

  /** Closes the stream. */
  close(): void {
    this.#open?.stream.close();
    this.#open = null;
  }

  #openStream(): OpenStream {
    const { recognisers, sampleRateHz, language } = this.#options;
    const { current } = recognisers;
    const open: Omit<OpenStream, 'stream'> = {
      resampler: new Resampler(sampleRateHz, current.capabilities.sampleRateHz),
      startMs: null,
    };
    const stream: RecogniserStream = openGuarded(current, language, (event) => {
      if (this.#open?.stream === stream) this.#heard(event, open.startMs ?? 0);
    });
    return Object.assign(open, { stream });
  }

  #heard(event: RecogniserEvent, startMs: number): void {
    const { onEvent, onError } = this.#options;
    switch (event.type) {
      case 'interim':
        return onEvent({ type: 'words.guessed', text: event.text });
      case 'final': {
        const { text, isOverdue = false } = event;
        const endMs = event.endMs === undefined ? null : event.endMs + startMs;
        // Audio without a final of the recogniser itself is passed to its replacement again.
        if (!isOverdue) this.#answered(endMs);
        return onEvent({ type: 'words.recognised', text, endMs, isOverdue });
      }
      case 'word-gap':
        return onEvent({ type: 'words.ended' });
      case 'eager-end':
      case 'end-of-turn': {
        const isDefinite = event.type === 'end-of-turn';
        return onEvent({ type: 'turn-end.judged', confidence: event.confidence, isDefinite });
      }
      case 'turn-resumed':
        return onEvent({ type: 'turn-end.judged', confidence: 0, isDefinite: false });
      case 'failed':
        onError(event.error);
        return onEvent({ type: 'recogniser.failed' });
    }
  }

  /** @param endMs - end of the words; null if they cover all audio so far */
  #answered(endMs: number | null): void {
    this.#owed = null;
    this.#unanswered = this.#unanswered.filter(
      ({ index }) => endMs !== null && (index + 1) * FRAME_MS > endMs,
    );
  }
}

function finalise({ stream, startMs }: OpenStream, { expected, speechFromMs }: FinalRequest): void {
  stream.expect?.(expected ?? []);
  stream.finalise(Math.max(0, speechFromMs - (startMs ?? 0)));
}

function push(open: OpenStream, { index, received }: Heard): void {
  open.startMs ??= index * FRAME_MS;
  const { resampler, stream } = open;
  stream.push(resampler.fromHz === resampler.toHz ? received : resampler.process(received));
}
