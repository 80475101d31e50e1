/**
 * Questions of one SIP endpoint to trunks: what they answer to OPTIONS, and to a REGISTER that changes nothing. For the diagnosis
 * of a trunk.
 */
import type { Clock } from '@parley/runtime';
import {
  bodyText,
  escapeUser,
  formatHostPort,
  headerList,
  headerValue,
  isAudioUsable,
  type Codec,
  parseVia,
  sessionDescription,
  SipParseError,
  type AgentAction,
  type ChallengeRefusal,
  type QueryOutcome,
  type SipQuery,
  type SipResponse,
  type UserAgent,
} from '@parley/sip';
import { destinationOf, hostInUri, type TrunkAddress, type TrunkTarget } from './dial-request.ts';

/** A question to a trunk. */
export interface TrunkQuestion {
  method: SipQuery['method'];
  /** For REGISTER: the registrar instead of the trunk's host and port. */
  trunk: Pick<
    TrunkAddress,
    'host' | 'port' | 'transport' | 'isTlsVerified' | 'username' | 'authUsername' | 'password' | 'codecs'
  >;
  /** The server, at an address that is permitted. */
  target: TrunkTarget;
  /** How long to wait, milliseconds. */
  limitMs: number;
}

/** The final response of a trunk. */
export interface TrunkAnswer {
  status: number;
  reason: string;
  wasChallenged: boolean;
  /** Why a 401 or 407 is final; null for any other status. */
  refusal: ChallengeRefusal | null;
  /** The clock of the trunk, whole seconds; null without a Date header field. */
  date: Date | null;
  /** From where the trunk has seen our request (RFC 3581); null if it does not tell. */
  seenAs: { host: string; port: number | null } | null;
  /** Whether its session description has a codec that the trunk allows; null without a description. */
  isAudioUsable: boolean | null;
  /** How many addresses are registered, in the answer to a REGISTER. */
  contacts: number;
}

/** The answer, or why there is none: nothing came in time, or the request could not be delivered. */
export type TrunkReply = { result: 'answered'; answer: TrunkAnswer } | { result: 'silent' | 'undelivered' };

/** The configuration. */
export interface EndpointQueriesOptions {
  clock: Clock;
  driver: { run(input: (agent: UserAgent, nowMs: number) => void): void };
  /** The address at which others reach the endpoint. */
  publicHost: string;
}

/** One per endpoint. */
export class EndpointQueries {
  readonly #options: EndpointQueriesOptions;
  readonly #waiting = new Map<number, (outcome: QueryOutcome) => void>();

  constructor(options: EndpointQueriesOptions) {
    this.#options = options;
  }

  /** Takes the report of the agent. */
  take({ id, outcome }: Extract<AgentAction, { type: 'query-ended' }>): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  /** The endpoint is closed. */
  stop(): void {
    for (const settle of this.#waiting.values()) settle({ by: 'transport' });
    this.#waiting.clear();
  }

  /** @throws SipParseError when the host or the user name cannot be written into a request */
  async ask(question: TrunkQuestion): Promise<TrunkReply> {
    const { clock, driver } = this.#options;
    const { promise, resolve } = Promise.withResolvers<QueryOutcome>();
    const query = this.#queryOf(question);
    let id: number | null = null;
    driver.run((agent, nowMs) => {
      id = agent.ask(query, nowMs);
      this.#waiting.set(id, resolve);
    });
    if (id === null) resolve({ by: 'transport' });
    const limit = clock.after(question.limitMs, () => {
      if (id !== null) this.#drop(id);
    });
    const outcome = await promise;
    limit.cancel();
    if (outcome.by === 'response')
      return { result: 'answered', answer: readAnswer(outcome, question.trunk.codecs) };
    return { result: outcome.by === 'transport' ? 'undelivered' : 'silent' };
  }

  #drop(id: number): void {
    this.#options.driver.run((agent, nowMs) => agent.dropQuery(id, nowMs));
    this.take({ type: 'query-ended', id, outcome: { by: 'no-response' } });
  }

  #queryOf({ method, trunk, target }: TrunkQuestion): SipQuery {
    const { host, transport, username, authUsername = username, password = '' } = trunk;
    const domain = formatHostPort(host, null);
    const parameter = transport === 'udp' ? '' : `;transport=${transport}`;
    const uri = `sip:${hostInUri(target, transport)}${parameter}`;
    const isAccount = username !== undefined;
    const own = isAccount
      ? `sip:${escapeUser(username)}@${domain}`
      : `sip:${formatHostPort(this.#options.publicHost, null)}`;
    return {
      method,
      uri,
      from: own,
      to: method === 'REGISTER' ? own : uri,
      destination: destinationOf(trunk, target),
      credentials: authUsername === undefined ? null : { username: authUsername, password },
    };
  }
}

function readAnswer(
  outcome: Extract<QueryOutcome, { by: 'response' }>,
  codecs: readonly Codec[] | undefined,
): TrunkAnswer {
  const { response, wasChallenged, refusal } = outcome;
  return {
    status: response.status,
    reason: response.reason,
    wasChallenged,
    refusal,
    date: readDate(headerValue(response, 'Date')),
    seenAs: orNull(() => readSource(response)),
    isAudioUsable: orNull(() => readAudio(response, codecs)),
    contacts: orNull(() => headerList(response, 'Contact').length) ?? 0,
  };
}

function readDate(text: string | null): Date | null {
  const atMs = Date.parse(text ?? '');
  return Number.isNaN(atMs) ? null : new Date(atMs);
}

function readSource(response: SipResponse): TrunkAnswer['seenAs'] {
  const { params } = parseVia(headerList(response, 'Via')[0] ?? '');
  const host = params.get('received');
  const port = Number(params.get('rport') || Number.NaN);
  return host ? { host, port: Number.isInteger(port) ? port : null } : null;
}

function readAudio(response: SipResponse, codecs: readonly Codec[] | undefined): boolean | null {
  const description = bodyText(response) === '' ? null : sessionDescription(response);
  return description === null ? null : isAudioUsable(description, codecs);
}

/** Malformed parts are treated as absent. */
function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
