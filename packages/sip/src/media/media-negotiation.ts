/**
 * The sound description of one call over its life: what we last said, what was agreed, and the version number that
 * grows exactly when our description changes (RFC 3264 section 8).
 */
import {
  answerOffer,
  describe,
  offerSections,
  readAnswer,
  type AgreedMedia,
  type LocalMedia,
} from './offer-answer.ts';
import type { RandomSource } from '../message/random.ts';
import type { SectionToWrite } from './sdp.ts';

/** One per call leg. */
export class MediaNegotiation {
  readonly #local: LocalMedia;
  readonly #sessionId: number;
  #version = 0;
  #lastWritten = '';
  #agreed: AgreedMedia | null = null;

  constructor(local: LocalMedia, random: RandomSource) {
    this.#local = local;
    // Below 2^31: some peers read it as a signed number.
    this.#sessionId = Buffer.from(random(4)).readUInt32BE() >>> 1;
  }

  /** What is in force, null before the first agreement. */
  get agreed(): AgreedMedia | null {
    return this.#agreed;
  }

  /** Our offer, for an INVITE or for a request that brought none. */
  offer(): string {
    return this.#write(offerSections(this.#local.port));
  }

  /** Answers an offer; null (and nothing changes) when it has no sound we can exchange. */
  answer(offerText: string): string | null {
    const result = answerOffer(offerText, this.#local.port);
    if (!result.isAcceptable) return null;
    this.#agreed = result.agreed;
    return this.#write(result.sections);
  }

  /** Takes the answer to our offer; false (and nothing changes) when it leaves no sound. */
  takeAnswer(answerText: string): boolean {
    const agreed = readAnswer(answerText);
    if (agreed) this.#agreed = agreed;
    return agreed !== null;
  }

  #write(sections: SectionToWrite[]): string {
    const written = this.#describe(sections);
    if (written === this.#lastWritten) return written;
    this.#version += 1;
    this.#lastWritten = this.#describe(sections);
    return this.#lastWritten;
  }

  #describe(sections: SectionToWrite[]): string {
    return describe(this.#local, { sessionId: this.#sessionId, version: this.#version }, sections);
  }
}
