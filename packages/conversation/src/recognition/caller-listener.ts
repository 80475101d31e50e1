/**
 * Passes the caller's audio to the voice activity detector, which reports when there is speech, and to the recogniser
 * (`recogniser-feed.ts`), which reports the words.
 */
import { Resampler } from '@parley/audio';
import type { Recogniser, VoiceActivityDetector, VoiceActivityStream } from '@parley/speech';
import { FRAME_MS, type AudioTick } from '../audio-line.ts';
import type { ProviderChain } from '../provider-chain.ts';
import type { RecognitionEvent } from './recognition-event.ts';
import { NearEndGate } from './near-end-gate.ts';
import { RecogniserFeed } from './recogniser-feed.ts';
import { SpeechEdge } from './speech-edge.ts';

/** The sample rate of {@link VoiceActivityDetector}. */
const DETECTOR_RATE_HZ = 16_000;

/** What the listener needs. */
export interface CallerListenerOptions {
  sampleRateHz: number;
  vad: VoiceActivityDetector;
  /** Null if the call has no recogniser. */
  recognisers: ProviderChain<Recogniser> | null;
  language: string;
  /** The assistant's `noise_cancellation`. */
  keepsNoiseOut: boolean;
  onEvent: (event: RecognitionEvent) => void;
  /** The recogniser failed; the event `recogniser.failed` follows. */
  onError: (error: unknown) => void;
}

/** Opened when the call is answered, closed with the conversation; reports nothing afterwards. */
export class CallerListener {
  readonly #options: CallerListenerOptions;
  readonly #resampler: Resampler;
  readonly #detector: VoiceActivityStream;
  readonly #recogniser: RecogniserFeed | null;
  readonly #edge = new SpeechEdge();
  readonly #gate: NearEndGate;
  /** Call time at which the detector's audio begins, milliseconds; null before the first frame. */
  #detectorStartMs: number | null = null;
  #isClosed = false;

  constructor(options: CallerListenerOptions) {
    const { recognisers, sampleRateHz } = options;
    this.#options = options;
    this.#resampler = new Resampler(sampleRateHz, DETECTOR_RATE_HZ);
    this.#gate = new NearEndGate(sampleRateHz, options.keepsNoiseOut);
    this.#detector = options.vad.open((probability, endMs) => this.#analysed(probability, endMs));
    this.#recogniser = recognisers && new RecogniserFeed({ ...options, recognisers });
  }

  /** Passes on one frame. */
  hear(tick: AudioTick): void {
    if (this.#isClosed) return;
    this.#detectorStartMs ??= tick.index * FRAME_MS;
    this.#edge.hear(tick);
    this.#gate.hear(tick.received, tick.sent);
    const wide = resampled(this.#resampler, tick.received);
    this.#detector.push(wide);
    this.#recogniser?.hear(tick, wide);
  }

  /**
   * The caller has paused: asks the recogniser for a final.
   *
   * @param expected - the possible phrases, for recognisers that can choose among phrases; null for any words
   * @param speechFromMs - when the speech began, milliseconds of the call
   */
  finalise(expected: readonly string[] | null, speechFromMs: number): void {
    this.#recogniser?.finalise({ expected, speechFromMs });
  }

  /** When the end of the audio was received for which the detector reported speech until `detectedMs`. */
  endOfSound(detectedMs: number): number {
    return this.#edge.arrivalOf(this.#edge.withSoftEnd(detectedMs));
  }

  /** Replaces a recogniser's stream that failed. */
  reopenRecogniser(isOther: boolean): void {
    this.#recogniser?.reopen(isOther);
  }

  /** Closes both streams. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#detector.close();
    this.#recogniser?.close();
  }

  #analysed(probability: number, endMs: number): void {
    if (this.#isClosed) return;
    const counted = this.#gate.weigh(probability, endMs);
    const callMs = (this.#detectorStartMs ?? 0) + endMs;
    const soundEndMs = this.#edge.before(callMs);
    this.#options.onEvent({ type: 'voice.analysed', probability: counted, endMs: callMs, soundEndMs });
  }
}

/** Returns the samples unchanged if the rates are equal. */
function resampled(resampler: Resampler, samples: Int16Array): Int16Array {
  return resampler.fromHz === resampler.toHz ? samples : resampler.process(samples);
}
