/**
 * The offer/answer state of one call: our latest description, the agreed media, and the version number, which changes
 * exactly when our description changes. RFC 3264 section 8: "If the version in the origin line does not increment, the SDP
 * MUST be identical to the SDP with that version number."
 */
import {
  answerOffer,
  describe,
  disabledSections,
  offerSections,
  readAnswer,
  type AgreedMedia,
  type LocalMedia,
} from './offer-answer.ts';
import { cryptoSuites, MASTER_KEY_BYTES, type CryptoLine } from './crypto-line.ts';
import type { RandomSource } from '../message/random.ts';
import type { StoredDescription } from '../dialog/dialog.ts';
import { timingOf, UNLIMITED, type SectionToWrite, type Timing } from './sdp.ts';

/** Above the versions of descriptions that a lost process may have sent without storing them. */
const VERSION_MARGIN = 100;

/** The session ID of our descriptions. Below 2^31, because some peers parse it as a signed 32-bit number. */
function newSessionId(random: RandomSource): number {
  return Buffer.from(random(4)).readUInt32BE() >>> 1;
}

/** One per dialog. */
export class MediaNegotiation {
  readonly #local: LocalMedia;
  readonly #random: RandomSource;
  readonly #sessionId: number;
  #version = 0;
  #lastWritten = '';
  /** That of the offer that we have answered. */
  #timing: Timing = UNLIMITED;
  #agreed: AgreedMedia | null = null;
  #hasOffered = false;
  /** The sections of the latest description, which a later offer has to repeat. */
  #sections: readonly SectionToWrite[] = [];

  constructor(local: LocalMedia, random: RandomSource, sessionId = newSessionId(random)) {
    this.#local = local;
    this.#random = random;
    this.#sessionId = sessionId;
  }

  /** Goes on from the latest description of another process, of which the keys are unknown. */
  static resume(local: LocalMedia, random: RandomSource, stored?: StoredDescription): MediaNegotiation {
    const negotiation = new MediaNegotiation(local, random, stored?.sessionId);
    if (!stored) return negotiation;
    negotiation.#version = stored.version + VERSION_MARGIN;
    negotiation.#sections = stored.streams.map((stream) => ({
      ...stream,
      formats: [],
      direction: 'sendrecv',
    }));
    return negotiation;
  }

  /** The latest description in stored form. */
  stored(): StoredDescription {
    const streams = this.#sections.map(({ type, protocol, payloads, port }) => ({
      type,
      protocol,
      payloads,
      port,
    }));
    return { sessionId: this.#sessionId, version: this.#version, streams };
  }

  /** A copy for one fork of an INVITE: each fork answers the same offer for itself. */
  copy(): MediaNegotiation {
    const copy = new MediaNegotiation(this.#local, this.#random, this.#sessionId);
    copy.#version = this.#version;
    copy.#lastWritten = this.#lastWritten;
    copy.#timing = this.#timing;
    copy.#agreed = this.#agreed;
    copy.#hasOffered = this.#hasOffered;
    copy.#sections = this.#sections;
    return copy;
  }

  /** The agreed media, null before the first agreement. */
  get agreed(): AgreedMedia | null {
    return this.#agreed;
  }

  /** True if our latest description was an offer, and not an answer. */
  get hasOffered(): boolean {
    return this.#hasOffered;
  }

  /** Our latest description again, as the offer of a re-INVITE that changes nothing. */
  offerAgain(): string {
    this.#hasOffered = true;
    return this.#lastWritten;
  }

  /** Our offer, for an INVITE of ours or for the answer to an INVITE without an offer. */
  offer(): string {
    this.#hasOffered = true;
    const suites = this.#local.encryption === 'required' ? cryptoSuites : [];
    const crypto = suites.map((suite, index) => ({ tag: index + 1, suite, key: this.#newKey() }));
    return this.#write(offerSections(this.#local, { before: this.#sections, crypto }));
  }

  /**
   * Answers an offer. Returns null, and changes nothing, when the offer contains no codec that we support. A later offer may disable
   * every stream, by which some PBXs hold a call.
   */
  answer(offerText: string): string | null {
    const disabled = this.#agreed && disabledSections(offerText);
    if (this.#agreed && disabled) {
      this.#agreed = { ...this.#agreed, direction: 'inactive' };
      this.#hasOffered = false;
      this.#timing = timingOf(offerText);
      return this.#write(disabled);
    }
    const result = answerOffer(offerText, this.#local, (accepted) => this.#keyFor(accepted));
    if (!result.isAcceptable) return null;
    this.#agreed = result.agreed;
    this.#hasOffered = false;
    this.#timing = timingOf(offerText);
    return this.#write(result.sections);
  }

  /** Takes the answer to our offer. Returns false, and changes nothing, when it accepts no stream. */
  takeAnswer(answerText: string): boolean {
    const agreed = readAnswer(answerText, this.#sections);
    if (agreed) this.#agreed = agreed;
    return agreed !== null;
  }

  /**
   * Our key stays while that of the far end does, as when it holds a call or refreshes the session. A far end with a new key
   * may be another device, which does not know how many packets we have sent with ours (RFC 3711 section 3.3.1).
   */
  #keyFor({ suite, key }: CryptoLine): string {
    const current = this.#agreed?.encryption;
    return current?.suite === suite && current.remoteKey === key ? current.localKey : this.#newKey();
  }

  #newKey(): string {
    return Buffer.from(this.#random(MASTER_KEY_BYTES)).toString('base64');
  }

  #write(sections: readonly SectionToWrite[]): string {
    this.#sections = sections;
    const written = this.#describe(sections);
    if (written === this.#lastWritten) return written;
    this.#version += 1;
    this.#lastWritten = this.#describe(sections);
    return this.#lastWritten;
  }

  #describe(sections: readonly SectionToWrite[]): string {
    return describe(
      this.#local,
      { sessionId: this.#sessionId, version: this.#version, timing: this.#timing },
      sections,
    );
  }
}
