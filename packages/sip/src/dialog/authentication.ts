/**
 * Answers 401 and 407 challenges over the life of one call (RFC 3261 section 22). Each kind of challenge is answered once
 * per request, and once more when the server marks the nonce as stale. A further challenge is final.
 */
import { answerChallenge, parseChallenges, type Challenge, type Credentials } from '../message/digest.ts';
import { headerValues, type HeaderField, type SipResponse } from '../message/message.ts';
import { SipParseError } from '../message/parse-error.ts';
import { randomToken, type RandomSource } from '../message/random.ts';

const KINDS = {
  401: { challenge: 'WWW-Authenticate', answer: 'Authorization' },
  407: { challenge: 'Proxy-Authenticate', answer: 'Proxy-Authorization' },
} as const;
type Kind = keyof typeof KINDS;

/** Answers per kind of challenge within one request: the first one, and one for a stale nonce. */
const MAX_ANSWERS = 2;

interface Held {
  challenge: Challenge;
  nonceCount: number;
  answersInRequest: number;
}

/** Holds the credentials and the challenges so far; later requests of the call carry their answers from the start. */
export class Authenticator {
  readonly #credentials: Credentials | null;
  readonly #random: RandomSource;
  readonly #held = new Map<Kind, Held>();

  constructor(credentials: Credentials | null, random: RandomSource) {
    this.#credentials = credentials;
    this.#random = random;
  }

  /** Call before a new request is sent, but not before it is sent again with an answer. */
  beginRequest(): void {
    for (const held of this.#held.values()) held.answersInRequest = 0;
  }

  /** Takes a 401 or 407; true if the request should be sent again with {@link headersFor}. */
  accept(response: SipResponse): boolean {
    if (this.#credentials === null || (response.status !== 401 && response.status !== 407)) return false;
    const challenge = firstAnswerable(headerValues(response, KINDS[response.status].challenge));
    if (!challenge) return false;
    const before = this.#held.get(response.status);
    const answers = before?.answersInRequest ?? 0;
    if (answers >= MAX_ANSWERS || (answers > 0 && !challenge.isStale)) return false;
    this.#held.set(response.status, { challenge, nonceCount: 0, answersInRequest: answers + 1 });
    return true;
  }

  /** The header fields that answer all challenges held, each with a fresh client nonce and the next nonce count. */
  headersFor(method: string, uri: string): HeaderField[] {
    const credentials = this.#credentials;
    if (credentials === null) return [];
    return [...this.#held].map(([kind, held]) => {
      held.nonceCount += 1;
      const use = { method, uri, clientNonce: randomToken(this.#random), nonceCount: held.nonceCount };
      return { name: KINDS[kind].answer, value: answerChallenge(held.challenge, credentials, use) };
    });
  }
}

function firstAnswerable(values: readonly string[]): Challenge | null {
  try {
    return parseChallenges(values)[0] ?? null;
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
