/**
 * Listens for who has answered: brings the frames, windows and words of a call to the rules and tells what they make of
 * it. One for each outgoing call; costs nothing once it knows.
 */
import { FRAME_MS } from '../audio-line.ts';
import { hearWindow, NO_ACTIVITY, type CallerActivity } from '../hearing/caller-activity.rules.ts';
import { hearAnswer, NO_ANSWER_YET, type AnsweringEvent, type AnsweringState } from './answering.rules.ts';
import { BeepDetector } from './beep-detector.ts';

/** Silence that ends a segment of speech, as everywhere (VOICE findings). */
const SEGMENT_PAUSE_MS = 250;
/** A machine whose greeting is long beeps late. */
const BEEPS_WITHIN_MS = 60_000;

/** Who listens. */
export interface MachineDetectorOptions {
  sampleRateHz: number;
  /** Of the assistant. */
  language: string;
  /** Comes at most twice: a person can turn out to be a machine. */
  onVerdict: (verdict: NonNullable<AnsweringState['verdict']>) => void;
  onBeep: () => void;
}

/** See the head of this file. Times are milliseconds since the answer. */
export class MachineDetector {
  readonly #options: MachineDetectorOptions;
  readonly #beep: BeepDetector;
  #state: AnsweringState = NO_ANSWER_YET;
  #activity: CallerActivity = NO_ACTIVITY;
  #nowMs = 0;

  constructor(options: MachineDetectorOptions) {
    this.#options = options;
    this.#beep = new BeepDetector(options.sampleRateHz);
  }

  /** The next 20 ms of the far end. */
  hearFrame(received: Int16Array): void {
    this.#nowMs += FRAME_MS;
    if (this.#nowMs > BEEPS_WITHIN_MS || !this.#beep.hear(received)) return;
    this.#take({ type: 'beep' });
    this.#options.onBeep();
  }

  /** A window of the detector. */
  hearWindow(window: { probability: number; endMs: number }): void {
    this.#activity = hearWindow(this.#activity, window, SEGMENT_PAUSE_MS);
    this.#take({ type: 'voice', activity: this.#activity });
  }

  hearWords(text: string, isFinal: boolean): void {
    this.#take({ type: isFinal ? 'final' : 'interim', text });
  }

  hearKey(): void {
    this.#take({ type: 'key' });
  }

  #take(event: AnsweringEvent): void {
    const before = this.#state.verdict;
    this.#state = hearAnswer(this.#state, event, { nowMs: this.#nowMs, language: this.#options.language });
    const { verdict } = this.#state;
    if (verdict !== null && verdict !== before) this.#options.onVerdict(verdict);
  }
}
