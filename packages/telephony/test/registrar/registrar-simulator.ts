/**
 * A registrar (RFC 3261 section 10.3) that refuses what a strict one refuses, notes every broken rule of the client in
 * `problems`, and misbehaves on request. It has no socket: bytes in, bytes out.
 */
import {
  buildResponse,
  headerList,
  headerValue,
  headerValues,
  parseMessage,
  parseNameAddr,
  parseSipUri,
  serialiseMessage,
  userOf,
  type HeaderField,
  type SipRequest,
} from '@parley/sip';
import { DigestCheck, type TestAlgorithm } from './digest-check.ts';

export const REGISTRAR_USER = 'alice';

export interface SimulatorOptions {
  nowMs: () => number;
  /** What the Request-URI must say. */
  uri: string;
  algorithm?: TestAlgorithm;
  hasQop?: boolean;
  nonceLifeMs?: number;
}

/** A REGISTER and its answer. */
export interface Exchange {
  atMs: number;
  sequence: number;
  callId: string;
  expires: number;
  status: number;
}

interface Binding {
  untilMs: number;
  callId: string;
  sequence: number;
}

/** An answer that replaces the usual one. */
export interface ScriptedAnswer {
  status: number;
  headers?: readonly HeaderField[];
}

const MANDATORY = [
  'Via',
  'Max-Forwards',
  'From',
  'To',
  'Call-ID',
  'CSeq',
  'Contact',
  'Expires',
  'User-Agent',
];

export class RegistrarSimulator {
  readonly bindings = new Map<string, Binding>();
  readonly exchanges: Exchange[] = [];
  readonly problems: string[] = [];
  readonly digest: DigestCheck;
  /** Answers of the next requests that are authenticated. */
  readonly script: ScriptedAnswer[] = [];
  password = 'secret';
  minSeconds = 1;
  maxSeconds = 3600;
  /** Down: it takes nothing and answers nothing. */
  isDown = false;
  /** Writes the Contacts and Expires of a 200; null for the usual form. */
  grantHeaders: ((contact: string, seconds: number) => HeaderField[]) | null = null;
  readonly #options: SimulatorOptions;
  /** Answers by branch, for retransmissions. */
  readonly #answered = new Map<string, Uint8Array>();
  readonly #lastSequence = new Map<string, number>();

  constructor(options: SimulatorOptions) {
    this.#options = options;
    const { algorithm = 'MD5', hasQop = true, nonceLifeMs = Infinity } = options;
    this.digest = new DigestCheck({ realm: 'test', algorithm, hasQop, nonceLifeMs });
  }

  /** The answer to a datagram, null for none. */
  receive(bytes: Uint8Array): Uint8Array | null {
    if (this.isDown) return null;
    const request = parseMessage(bytes);
    if (request.kind !== 'request') return null;
    if (!/\r\nContent-Length: 0\r\n/.test(Buffer.from(bytes).toString('latin1')))
      this.problems.push('Content-Length is missing');
    const branch = /;branch=(z9hG4bK[^;]+)/.exec(headerValue(request, 'Via') ?? '')?.[1] ?? '';
    const answer = this.#answered.get(branch) ?? serialiseMessage(this.#answer(request));
    this.#answered.set(branch, answer);
    return answer;
  }

  /** Its memory is lost, and it has another realm than before. */
  restart(realm: string): void {
    this.bindings.clear();
    this.#answered.clear();
    this.digest.forgetNonces();
    this.digest.rules = { ...this.digest.rules, realm };
  }

  /** Contacts that it holds now. */
  contacts(): string[] {
    const nowMs = this.#options.nowMs();
    return [...this.bindings].filter(([, { untilMs }]) => untilMs > nowMs).map(([contact]) => contact);
  }

  #answer(request: SipRequest) {
    this.#checkForm(request);
    const { status, headers = [] } = this.#decide(request);
    const [sequence = 0] = (headerValue(request, 'CSeq') ?? '').split(' ').map(Number);
    const callId = headerValue(request, 'Call-ID') ?? '';
    const expires = Number(headerValue(request, 'Expires'));
    this.exchanges.push({ atMs: this.#options.nowMs(), sequence, callId, expires, status });
    return buildResponse(request, status, { toTag: 'registrar', headers });
  }

  #decide(request: SipRequest): ScriptedAnswer {
    const nowMs = this.#options.nowMs();
    const authorization = headerValue(request, 'Authorization');
    const verdict = this.digest.judge(authorization, { uri: request.uri, password: this.password, nowMs });
    if (verdict !== 'valid') {
      const value = this.digest.challenge(nowMs, verdict === 'stale');
      return { status: 401, headers: [{ name: 'WWW-Authenticate', value }] };
    }
    const scripted = this.script.shift();
    if (scripted) return scripted;
    const asked = Number(headerValue(request, 'Expires'));
    if (asked > 0 && asked < this.minSeconds)
      return { status: 423, headers: [{ name: 'Min-Expires', value: String(this.minSeconds) }] };
    return this.#bind(request, Math.min(asked, this.maxSeconds));
  }

  /** Section 10.3, step 7. */
  #bind(request: SipRequest, seconds: number): ScriptedAnswer {
    const contact = parseNameAddr(headerValue(request, 'Contact') ?? '').uri;
    const callId = headerValue(request, 'Call-ID') ?? '';
    const sequence = parseInt(headerValue(request, 'CSeq') ?? '', 10);
    const known = this.bindings.get(contact);
    if (known?.callId === callId && sequence <= known.sequence) return { status: 500 };
    this.bindings.delete(contact);
    const untilMs = this.#options.nowMs() + seconds * 1000;
    if (seconds > 0) this.bindings.set(contact, { untilMs, callId, sequence });
    const usual = seconds > 0 ? [{ name: 'Contact', value: `<${contact}>;expires=${seconds}` }] : [];
    return { status: 200, headers: this.grantHeaders?.(contact, seconds) ?? usual };
  }

  #checkForm(request: SipRequest): void {
    for (const name of MANDATORY)
      if (headerValues(request, name).length !== 1) this.problems.push(`${name} does not occur once`);
    const { uri } = this.#options;
    const [to, from] = ['To', 'From'].map((name) => parseNameAddr(headerValue(request, name) ?? ''));
    const contacts = headerList(request, 'Contact').map((text) => parseSipUri(parseNameAddr(text).uri));
    const callId = headerValue(request, 'Call-ID') ?? '';
    const [, sequence, method] = /^(\d+) (\w+)$/.exec(headerValue(request, 'CSeq') ?? '') ?? [];
    const lastSequence = this.#lastSequence.get(callId) ?? 0;
    const rules: [boolean, string][] = [
      [request.method === 'REGISTER' && method === 'REGISTER', 'The method is not REGISTER'],
      [request.uri === uri, `The Request-URI is ${request.uri}`],
      [from?.uri === to?.uri && userOf(to?.uri ?? '') === REGISTRAR_USER, 'From and To differ'],
      [(from?.params.get('tag') ?? '') !== '', 'From has no tag'],
      [to?.params.has('tag') === false, 'To has a tag'],
      [Number(sequence) > lastSequence, 'CSeq did not grow'],
      [this.#lastSequence.size === 0 || this.#lastSequence.has(callId), 'The Call-ID changed'],
      [headerValue(request, 'Max-Forwards') === '70', 'Max-Forwards is not 70'],
      [/;rport(;|$)/.test(headerValue(request, 'Via') ?? ''), 'Via does not ask for rport'],
      [contacts.length === 1 && contacts[0]?.userInfo === REGISTRAR_USER, 'The Contact has another user'],
    ];
    for (const [holds, problem] of rules) if (!holds) this.problems.push(problem);
    this.#lastSequence.set(callId, Number(sequence));
  }
}
