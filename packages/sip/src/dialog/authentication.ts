/**
 * Answers 401 and 407 challenges over the life of one call or registration (RFC 3261 section
 * 22). A response may contain challenges of
 * several realms, one for each proxy on the path. Each realm is answered once per request, and once more when its server
 * marks the nonce as stale. A further challenge is final.
 */
import { answerChallenge, parseChallenges, type Challenge, type Credentials } from '../message/digest.ts';
import { EMPTY_BODY, headerValues, type HeaderField, type SipResponse } from '../message/message.ts';
import { SipParseError } from '../message/parse-error.ts';
import { randomToken, type RandomSource } from '../message/random.ts';

const KINDS = {
  401: { challenge: 'WWW-Authenticate', answer: 'Authorization' },
  407: { challenge: 'Proxy-Authenticate', answer: 'Proxy-Authorization' },
} as const;
type Kind = keyof typeof KINDS;

/** Answers per realm within one request: the first one, and one for a stale nonce. */
const MAX_ANSWERS = 2;
/** Limit of realms in one call, so that a server that changes its realm with every response is not answered forever. */
const MAX_REALMS = 8;

/** Why a 401 or 407 is final: no challenge can be answered, its nonce is stale once more, or our answer was wrong. */
export type ChallengeRefusal = 'unsupported' | 'stale-again' | 'wrong-credentials';

interface Held {
  kind: Kind;
  challenge: Challenge;
  /** RFC 7616 section 3.4.2: the A1 of a `-sess` algorithm is made once, with the first client nonce that goes with a nonce. */
  sessionNonce: string;
  nonceCount: number;
  answersInRequest: number;
}

/** Holds the credentials and the challenges so far; later requests of the call carry their answers from the start. */
export class Authenticator {
  readonly #credentials: Credentials | null;
  readonly #random: RandomSource;
  /** The challenges, keyed by kind and realm. */
  readonly #held = new Map<string, Held>();

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
    const kind = response.status;
    const challenges = firstOfEachRealm(headerValues(response, KINDS[kind].challenge));
    if (challenges.length === 0 || !challenges.every((challenge) => this.#mayAnswer(kind, challenge)))
      return false;
    for (const challenge of challenges) this.#hold(kind, challenge);
    return this.#held.size <= MAX_REALMS;
  }

  /** Why {@link accept} has refused this 401 or 407. */
  refusalOf(response: SipResponse): ChallengeRefusal {
    const { challenge } = KINDS[response.status === 407 ? 407 : 401];
    const challenges = firstOfEachRealm(headerValues(response, challenge));
    if (challenges.length === 0) return 'unsupported';
    return challenges.some(({ isStale }) => isStale) ? 'stale-again' : 'wrong-credentials';
  }

  /** The header fields that answer all challenges held, each with the next nonce count. */
  headersFor(method: string, uri: string, body: Uint8Array = EMPTY_BODY): HeaderField[] {
    const credentials = this.#credentials;
    if (credentials === null) return [];
    return [...this.#held.values()].map((held) => {
      held.nonceCount += 1;
      const { isSession } = held.challenge.algorithm;
      const clientNonce = isSession ? held.sessionNonce : randomToken(this.#random);
      const use = { method, uri, body, clientNonce, nonceCount: held.nonceCount };
      return { name: KINDS[held.kind].answer, value: answerChallenge(held.challenge, credentials, use) };
    });
  }

  #mayAnswer(kind: Kind, { realm, isStale }: Challenge): boolean {
    const answers = this.#held.get(`${kind} ${realm}`)?.answersInRequest ?? 0;
    return answers === 0 || (isStale && answers < MAX_ANSWERS);
  }

  #hold(kind: Kind, challenge: Challenge): void {
    const key = `${kind} ${challenge.realm}`;
    const answersInRequest = (this.#held.get(key)?.answersInRequest ?? 0) + 1;
    const sessionNonce = randomToken(this.#random);
    this.#held.set(key, { kind, challenge, sessionNonce, nonceCount: 0, answersInRequest });
  }
}

/** A realm may offer several algorithms, the preferred one first. */
function firstOfEachRealm(values: readonly string[]): Challenge[] {
  try {
    const challenges = parseChallenges(values);
    return challenges.filter(
      ({ realm }, index) => challenges.findIndex((other) => other.realm === realm) === index,
    );
  } catch (error) {
    if (error instanceof SipParseError) return [];
    throw error;
  }
}
