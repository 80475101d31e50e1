import { describe, expect, it } from 'vitest';
import { EMPTY_BODY, type SipResponse } from '../message/message.ts';
import { Authenticator } from './authentication.ts';

const CREDENTIALS = { username: 'trunk', password: 'secret' };
const ZEROS = (byteCount: number): Uint8Array => new Uint8Array(byteCount);

function challenge(status: number, value: string): SipResponse {
  const name = status === 407 ? 'Proxy-Authenticate' : 'WWW-Authenticate';
  return { kind: 'response', status, reason: '', headers: [{ name, value }], body: EMPTY_BODY };
}

const FRESH = 'Digest realm="r", nonce="n1", qop="auth"';
const OTHER_REALM = 'Digest realm="r2", nonce="n3", qop="auth"';
const STALE = 'Digest realm="r", nonce="n2", qop="auth", stale=true';

describe('an authenticator', () => {
  it.each([
    ['one challenge', [[401, FRESH, true]]],
    [
      'one challenge of each kind',
      [
        [407, FRESH, true],
        [401, FRESH, true],
      ],
    ],
    [
      'a repeated challenge',
      [
        [401, FRESH, true],
        [401, FRESH, false],
      ],
    ],
    [
      'a stale nonce',
      [
        [401, FRESH, true],
        [401, STALE, true],
        [401, STALE, false],
      ],
    ],
    [
      'challenges of two proxies, one after the other',
      [
        [407, FRESH, true],
        [407, OTHER_REALM, true],
        [407, FRESH, false],
      ],
    ],
    ['another scheme', [[401, 'Basic realm="r"', false]]],
    ['an unknown algorithm', [[401, `${FRESH}, algorithm=SHA3`, false]]],
    ['a malformed challenge', [[401, 'Digest realm="r', false]]],
    ['another status', [[403, FRESH, false]]],
  ] as const)('decides on %s', (_what, steps) => {
    const authenticator = new Authenticator(CREDENTIALS, ZEROS);
    authenticator.beginRequest();
    for (const [status, value, isAccepted] of steps)
      expect(authenticator.accept(challenge(status, value))).toBe(isAccepted);
  });

  it.each([
    [401, 'Basic realm="r"', 'unsupported'],
    [407, 'Digest realm="r', 'unsupported'],
    [401, FRESH, 'wrong-credentials'],
    [407, STALE, 'stale-again'],
  ] as const)('says why a %d with %s is final', (status, value, refusal) => {
    expect(new Authenticator(CREDENTIALS, ZEROS).refusalOf(challenge(status, value))).toBe(refusal);
  });

  // RFC 3261 section 22.3: a 407 contains the challenges of all proxies behind a forking proxy.
  it('answers every realm of one response', () => {
    const authenticator = new Authenticator(CREDENTIALS, ZEROS);
    expect(authenticator.accept(challenge(407, `${FRESH}, ${OTHER_REALM}`))).toBe(true);
    const answers = authenticator.headersFor('INVITE', 'sip:a');
    expect(answers.map(({ name }) => name)).toEqual(['Proxy-Authorization', 'Proxy-Authorization']);
    expect(answers.map(({ value }) => /realm="(\w+)", nonce="(\w+)"/.exec(value)?.slice(1))).toEqual([
      ['r', 'n1'],
      ['r2', 'n3'],
    ]);
  });

  it('answers one challenge of a realm that offers several algorithms', () => {
    const authenticator = new Authenticator(CREDENTIALS, ZEROS);
    authenticator.accept(challenge(407, `${FRESH}, algorithm=SHA-256, ${FRESH}, algorithm=MD5`));
    const answers = authenticator.headersFor('INVITE', 'sip:a').map(({ value }) => value);
    expect(answers).toEqual([expect.stringContaining('algorithm=SHA-256')]);
  });

  it('gives up on a server that changes its realm with every response', () => {
    const authenticator = new Authenticator(CREDENTIALS, ZEROS);
    const accepted = Array.from({ length: 10 }, (_, n) =>
      authenticator.accept(challenge(407, `Digest realm="r${n}", nonce="n"`)),
    );
    expect(accepted.filter(Boolean)).toHaveLength(8);
  });

  it('accepts a challenge again in the next request', () => {
    const authenticator = new Authenticator(CREDENTIALS, ZEROS);
    expect(authenticator.accept(challenge(401, FRESH))).toBe(true);
    expect(authenticator.accept(challenge(401, FRESH))).toBe(false);
    authenticator.beginRequest();
    expect(authenticator.accept(challenge(401, FRESH))).toBe(true);
  });

  it('counts the uses of a nonce and starts again with a new one', () => {
    const authenticator = new Authenticator(CREDENTIALS, ZEROS);
    const count = (): string | undefined =>
      /nc=(\d+)/.exec(authenticator.headersFor('INVITE', 'sip:a')[0]?.value ?? '')?.[1];
    authenticator.accept(challenge(401, FRESH));
    expect([count(), count()]).toEqual(['00000001', '00000002']);
    authenticator.accept(challenge(401, STALE));
    expect(count()).toBe('00000001');
  });

  // RFC 7616 section 3.4.2: the server may keep the A1 that the first pair of nonces has made.
  it('keeps the client nonce of a -sess algorithm for as long as the nonce', () => {
    let drawn = 0;
    const counting = (byteCount: number) => new Uint8Array(byteCount).fill((drawn += 1));
    const answersTo = (challengeText: string): (string | undefined)[] => {
      const authenticator = new Authenticator(CREDENTIALS, counting);
      authenticator.accept(challenge(401, challengeText));
      return [1, 2].map(
        () => /cnonce="(\w+)"/.exec(authenticator.headersFor('INVITE', 'sip:a')[0]?.value ?? '')?.[1],
      );
    };
    const [first, second] = answersTo(`${FRESH}, algorithm=MD5-sess, qop="auth"`);
    expect(first).toBeDefined();
    expect(second).toBe(first);
    expect(new Set(answersTo(`${FRESH}, algorithm=MD5, qop="auth"`)).size).toBe(2);
  });

  it('answers nothing without credentials', () => {
    const authenticator = new Authenticator(null, ZEROS);
    expect(authenticator.accept(challenge(401, FRESH))).toBe(false);
    expect(authenticator.headersFor('INVITE', 'sip:a')).toEqual([]);
  });
});
