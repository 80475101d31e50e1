import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answerChallenge, parseChallenges, type Challenge } from './digest.ts';
import { EMPTY_BODY, textBody } from './message.ts';

/** RFC 7616 section 3.9.1. */
const RFC_NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
const RFC_CLIENT_NONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
const rfc = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${RFC_NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
const MUFASA = { username: 'Mufasa', password: 'Circle of Life' };
const USE = {
  method: 'GET',
  uri: '/dir/index.html',
  body: EMPTY_BODY,
  clientNonce: RFC_CLIENT_NONCE,
  nonceCount: 1,
};

function only(...values: string[]): Challenge {
  const [challenge] = parseChallenges(values);
  if (!challenge) throw new Error('No challenge can be answered');
  return challenge;
}

const responseOf = (answer: string): string => /response="([0-9a-f]+)"/.exec(answer)?.[1] ?? '';

describe('the answer to a challenge', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is that of RFC 7616 for %s', (algorithm, response) => {
    const answer = answerChallenge(only(rfc(algorithm)), MUFASA, USE);
    expect(responseOf(answer)).toBe(response);
    expect(answer).toContain('qop=auth, nc=00000001');
    expect(answer).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
    expect(answer).toContain(`algorithm=${algorithm}`);
  });

  // RFC 2617 section 3.5.
  it('is that of RFC 2617 without a named algorithm', () => {
    const challenge = only(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    );
    const use = { ...USE, clientNonce: '0a4f113b' };
    const answer = answerChallenge(challenge, { username: 'Mufasa', password: 'Circle Of Life' }, use);
    expect(responseOf(answer)).toBe('6629fae49393a05397450978507c4ef1');
    expect(answer).not.toContain('algorithm');
  });

  // No published example: computed here from the formulas of RFC 7616 section 3.4, step by step.
  it('includes both nonces in A1 for -sess algorithms', () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    const account = md5('Mufasa:http-auth@example.org:Circle of Life');
    const a1 = md5(`${account}:${RFC_NONCE}:${RFC_CLIENT_NONCE}`);
    const expected = md5(
      `${a1}:${RFC_NONCE}:00000001:${RFC_CLIENT_NONCE}:auth:${md5('GET:/dir/index.html')}`,
    );
    expect(responseOf(answerChallenge(only(rfc('MD5-sess')), MUFASA, USE))).toBe(expected);
  });

  // No published example either.
  it('includes the hash of the body where only auth-int is offered', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const challenge = only('Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256');
    const use = { ...USE, method: 'INVITE', uri: 'sip:a', body: textBody('v=0\r\n') };
    const answer = answerChallenge(challenge, MUFASA, use);
    const a1 = sha256('Mufasa:r:Circle of Life');
    const a2 = sha256(`INVITE:sip:a:${sha256('v=0\r\n')}`);
    expect(answer).toContain('qop=auth-int, nc=00000001');
    expect(responseOf(answer)).toBe(sha256(`${a1}:n:00000001:${RFC_CLIENT_NONCE}:auth-int:${a2}`));
  });

  it('is that of RFC 2069 when no qop is offered, without client nonce', () => {
    const answer = answerChallenge(only('Digest realm="r", nonce="n"'), MUFASA, USE);
    expect(answer).not.toMatch(/cnonce|qop|nc=/);
  });

  it('escapes quotes and backslashes', () => {
    const challenge = only('Digest realm="a \\"b\\"", nonce="n"');
    expect(challenge.realm).toBe('a "b"');
    expect(answerChallenge(challenge, MUFASA, USE)).toContain('realm="a \\"b\\""');
  });
});

describe('challenges', () => {
  it('may have blanks around their equals signs', () => {
    const [found] = parseChallenges(['Digest realm = "a", nonce\t= "1" , qop ="auth"']);
    expect(found).toMatchObject({ realm: 'a', nonce: '1', qop: 'auth' });
  });

  it('are found on one line and on several, in order, without unsupported ones', () => {
    const found = parseChallenges([
      'Basic realm="x", Digest realm="a", nonce="1", algorithm=SHA-256, qop="auth", Digest realm="b", nonce="2"',
      'Digest realm="c", nonce="3", algorithm=MADE-UP',
      'Digest realm="d", nonce="4", qop="auth-conf"',
      'Digest realm="e", nonce="5", algorithm="MD5-sess", stale=TRUE',
    ]);
    expect(found.map(({ realm, isStale }) => [realm, isStale])).toEqual([
      ['a', false],
      ['b', false],
      ['e', true],
    ]);
  });

  it.each(['realm="x"', 'Digest realm="x', 'Digest ="x"'])(
    'that violate the grammar are refused: %s',
    (value) => {
      expect(() => parseChallenges([value])).toThrow();
    },
  );
});
