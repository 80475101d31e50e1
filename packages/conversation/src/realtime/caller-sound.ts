/**
 * What of the caller's sound goes to a model that is paid for hearing: speech with a little before it, and the pauses
 * within a turn. The silence between turns stays here.
 */

/** The detector answers later than the sound; so much before its answer is sent too: 600 ms. */
const LEAD_FRAMES = 30;
/** What the detector takes for speech. */
const SPEECH_FROM = 0.5;

/** One per stream. */
export class CallerSound {
  readonly #send: (samples: Int16Array) => void;
  #lead: Int16Array[] = [];
  #isOpen: boolean;

  /** @param isOpen - true where a turn is under way, and what comes first is heard again */
  constructor(send: (samples: Int16Array) => void, isOpen: boolean) {
    this.#send = send;
    this.#isOpen = isOpen;
  }

  /** One frame. */
  push(samples: Int16Array): void {
    if (this.#isOpen) return this.#send(samples);
    if (this.#lead.length === LEAD_FRAMES) this.#lead.shift();
    this.#lead.push(samples);
  }

  /** What the detector thinks of the sound by now. */
  judge(probability: number): void {
    if (this.#isOpen || probability < SPEECH_FROM) return;
    this.#isOpen = true;
    for (const samples of this.#lead.splice(0)) this.#send(samples);
  }

  /** The caller has paused; what comes next is silence until the detector says otherwise. */
  pause(): void {
    this.#isOpen = false;
  }
}
