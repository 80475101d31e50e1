/** What a SIP endpoint tells about itself and its trunks: the traces of calls, and answers of trunks to questions. */
import { pause, type Clock } from '@parley/runtime';
import type { AgentAction, Destination } from '@parley/sip';
import {
  EndpointQueries,
  type EndpointQueriesOptions,
  type TrunkQuestion,
  type TrunkReply,
} from './endpoint-queries.ts';
import { SipTraces, type SipTrace } from './sip-traces.ts';

/** The part for applications. */
export interface EndpointDiagnostics {
  /** The SIP messages of a call after its end, once; waits a second for the last ones. Null when there are none. */
  takeTrace(sipCallId: string): Promise<SipTrace | null>;
  /**
   * Asks a trunk or its registrar without changing anything there. Resolves within the limit of the question.
   *
   * @throws SipParseError when the host or the user name cannot be written into a request
   */
  ask(question: TrunkQuestion): Promise<TrunkReply>;
  /** What others know of the endpoint: the hosts in its signalling and in its session descriptions, and its port. */
  announced(): { host: string; mediaHost: string; port: number };
}

/** The configuration. */
export interface DiagnosticsOptions extends EndpointQueriesOptions {
  clock: Clock;
  driver: EndpointQueriesOptions['driver'] & { address: { port: number } };
  /** The host in session descriptions. */
  mediaHost: string;
}

/** How long the response to our BYE may take before a trace is taken, milliseconds. */
const LAST_MESSAGES_MS = 1000;

/** One per endpoint. */
export class EndpointObserver implements EndpointDiagnostics {
  readonly #options: DiagnosticsOptions;
  readonly #traces: SipTraces;
  readonly #queries: EndpointQueries;

  constructor(options: DiagnosticsOptions) {
    const { clock, driver, publicHost: host } = options;
    this.#options = options;
    this.#traces = new SipTraces(clock, () => ({ host, port: driver.address.port }));
    this.#queries = new EndpointQueries(options);
  }

  async takeTrace(sipCallId: string): Promise<SipTrace | null> {
    if (!this.#traces.has(sipCallId)) return null;
    await pause(this.#options.clock, LAST_MESSAGES_MS);
    return this.#traces.take(sipCallId);
  }

  async ask(question: TrunkQuestion): Promise<TrunkReply> {
    return this.#queries.ask(question);
  }

  announced(): { host: string; mediaHost: string; port: number } {
    const { publicHost: host, mediaHost, driver } = this.#options;
    return { host, mediaHost, port: driver.address.port };
  }

  /** A message has crossed the socket. */
  note(direction: 'in' | 'out', bytes: Uint8Array, peer: Destination): void {
    this.#traces.note(direction, bytes, peer);
  }

  /** A leg begins. */
  begin(sipCallId: string): void {
    this.#traces.begin(sipCallId);
  }

  /** A leg has ended. */
  end(sipCallId: string): void {
    this.#traces.end(sipCallId);
  }

  /** Takes the report of the agent. */
  take(action: Extract<AgentAction, { type: 'query-ended' }>): void {
    this.#queries.take(action);
  }

  /** The endpoint is closed. */
  stop(): void {
    this.#queries.stop();
  }
}
