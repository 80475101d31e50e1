/**
 * The server side of digest authentication (RFC 7616), written for tests only and independent of our client: nonces that
 * expire, and a nonce count that must grow.
 */
import { createHash } from 'node:crypto';

export type TestAlgorithm = 'MD5' | 'SHA-256';

export interface DigestRules {
  realm: string;
  algorithm: TestAlgorithm;
  hasQop: boolean;
  nonceLifeMs: number;
}

/** What an Authorization header proves. */
export type DigestVerdict = 'absent' | 'valid' | 'stale' | 'wrong';

export class DigestCheck {
  rules: DigestRules;
  /** How many nonces are declared stale although they are not. */
  falseStales = 0;
  /** Broken rules of the client. */
  readonly problems: string[] = [];
  #nonces = new Map<string, { untilMs: number; lastCount: number }>();
  #issued = 0;

  constructor(rules: DigestRules) {
    this.rules = rules;
  }

  challenge(nowMs: number, isStale: boolean): string {
    const { realm, algorithm, hasQop, nonceLifeMs } = this.rules;
    const nonce = `nonce-${(this.#issued += 1)}-of-${realm}`;
    this.#nonces.set(nonce, { untilMs: nowMs + nonceLifeMs, lastCount: 0 });
    const stale = isStale ? ', stale=true' : '';
    const qop = hasQop ? ', qop="auth"' : '';
    return `Digest realm="${realm}", nonce="${nonce}", opaque="o"${stale}, algorithm=${algorithm}${qop}`;
  }

  forgetNonces(): void {
    this.#nonces.clear();
  }

  judge(
    header: string | null,
    { uri, password, nowMs }: { uri: string; password: string; nowMs: number },
  ): DigestVerdict {
    if (header === null) return 'absent';
    const parts = new Map(
      [...header.replace(/^Digest /, '').matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(
        ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''],
      ),
    );
    const part = (name: string): string => parts.get(name) ?? '';
    const nonce = this.#nonces.get(part('nonce'));
    if (part('realm') !== this.rules.realm || !nonce) return 'stale';
    this.#checkParts(part, uri);
    if (part('response') !== this.#expected(part, password)) return 'wrong';
    if (this.falseStales > 0) {
      this.falseStales -= 1;
      return 'stale';
    }
    return this.#isFresh(nonce, part('nc'), nowMs) ? 'valid' : 'stale';
  }

  #isFresh(nonce: { untilMs: number; lastCount: number }, text: string, nowMs: number): boolean {
    const count = parseInt(text, 16);
    if (this.rules.hasQop && count <= nonce.lastCount) this.problems.push('The nonce count did not grow');
    nonce.lastCount = count;
    return nonce.untilMs > nowMs;
  }

  #checkParts(part: (name: string) => string, uri: string): void {
    const { algorithm, hasQop } = this.rules;
    if (part('uri') !== uri) this.problems.push('The digest is of another URI');
    if (part('opaque') !== 'o') this.problems.push('The opaque value was not returned');
    if (part('algorithm') !== algorithm) this.problems.push('The algorithm is another one');
    if (hasQop && (part('qop') !== 'auth' || !/^[0-9a-f]{8}$/.test(part('nc')) || part('cnonce') === ''))
      this.problems.push('qop, nc or cnonce is missing or malformed');
  }

  #expected(part: (name: string) => string, password: string): string {
    const hash = (text: string): string =>
      createHash(this.rules.algorithm === 'MD5' ? 'md5' : 'sha256')
        .update(text)
        .digest('hex');
    const a1 = hash(`${part('username')}:${this.rules.realm}:${password}`);
    const a2 = hash(`REGISTER:${part('uri')}`);
    if (!this.rules.hasQop) return hash(`${a1}:${part('nonce')}:${a2}`);
    return hash(`${a1}:${part('nonce')}:${part('nc')}:${part('cnonce')}:auth:${a2}`);
  }
}
