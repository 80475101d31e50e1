/**
 * One agent and a peer played by the test, message by message, under a clock moved by hand.
 */
import type { AgentAction, CallEvent, CallNumber, IncomingCall } from '../src/call/agent-actions.ts';
import { buildResponse, type ResponseExtras } from '../src/message/build-response.ts';
import type { AgentOptions } from '../src/dialog/agent-core.ts';
import type { Destination } from '../src/message/destination.ts';
import { headerList, headerValue, type SipMessage, type SipRequest } from '../src/message/message.ts';
import type { InviteRequest } from '../src/call/invite-request.ts';
import { parseMessage } from '../src/message/parse-message.ts';
import { serialiseMessage } from '../src/message/serialise-message.ts';
import { UserAgent } from '../src/call/user-agent.ts';
import { seededRandom } from './seeded-random.ts';

const AGENT_HOST = '10.0.0.1';
export const PEER: Destination = { transport: 'udp', host: '10.0.0.9', port: 5060, connectionId: null };

/** A description that offers or answers with PCMU at the given place. */
export function sdp(
  options: { port?: number; direction?: string; host?: string; payloads?: string } = {},
): string {
  const { port = 30_000, direction = 'sendrecv', host = '10.0.0.9', payloads = '0 101' } = options;
  return [
    'v=0',
    'o=peer 1 1 IN IP4 10.0.0.9',
    's=-',
    `c=IN IP4 ${host}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${payloads}`,
    'a=rtpmap:101 telephone-event/8000',
    `a=${direction}`,
    '',
  ].join('\r\n');
}

/** What a request of the peer says; everything has a default. */
export interface PeerRequest {
  method: string;
  callId?: string;
  sequence?: number;
  branch?: string;
  fromTag?: string;
  toTag?: string;
  uri?: string;
  headers?: readonly string[];
  body?: string;
  /** Default: a Contact of the peer. */
  contact?: string | null;
}

let branches = 0;

/** The text of a request from the peer. */
export function peerRequest(request: PeerRequest): string {
  const {
    method,
    callId = 'call-1',
    sequence = 1,
    fromTag = 'peer-tag',
    toTag,
    headers = [],
    body = '',
  } = request;
  const { branch = `z9hG4bK-peer-${(branches += 1)}`, contact = 'Contact: <sip:peer@10.0.0.9:5060>' } =
    request;
  return [
    `${method} ${request.uri ?? 'sip:+12025550101@10.0.0.1'} SIP/2.0`,
    `Via: SIP/2.0/UDP 10.0.0.9:5060;branch=${branch};rport`,
    'Max-Forwards: 70',
    `From: <sip:+12025550100@10.0.0.9>;tag=${fromTag}`,
    `To: <sip:+12025550101@10.0.0.1>${toTag === undefined ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${sequence} ${method}`,
    ...(contact === null ? [] : [contact]),
    ...headers,
    ...(body === '' || headers.some((line) => line.startsWith('Content-Type'))
      ? []
      : ['Content-Type: application/sdp']),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

export class Stage {
  readonly agent: UserAgent;
  nowMs = 1000;
  /** What the agent reported, in order. */
  readonly events: { call: CallNumber; event: CallEvent }[] = [];
  readonly incoming: { call: CallNumber; incoming: IncomingCall }[] = [];
  readonly others: AgentAction[] = [];
  readonly #unread: { message: SipMessage; destination: Destination; reference: string | null }[] = [];

  constructor(options: Pick<AgentOptions, 'maxServerTransactions' | 'front' | 'tagSuffix'> = {}) {
    this.agent = new UserAgent({
      address: { host: AGENT_HOST, port: 5060 },
      userAgent: 'Test',
      random: seededRandom(5),
      ...options,
    });
  }

  receive(text: string | Uint8Array, source: Destination = PEER): void {
    this.agent.receive(text, source, this.nowMs);
    this.#take();
  }

  request(request: PeerRequest): void {
    this.receive(peerRequest(request));
  }

  /** Answers a request of the agent. */
  respond(request: SipMessage, status: number, extras: ResponseExtras = {}): void {
    if (request.kind !== 'request') throw new Error('Only a request can be answered');
    const contact = { name: 'Contact', value: '<sip:peer@10.0.0.9:5060>' };
    const hasContact = extras.headers?.some((field) => field.name === 'Contact');
    const headers = [...(hasContact ? [] : [contact]), ...(extras.headers ?? [])];
    this.receive(serialiseMessage(buildResponse(request, status, { ...extras, headers })));
  }

  /** Moves time in steps no larger than a timer needs. */
  advance(byMs: number): void {
    const untilMs = this.nowMs + byMs;
    for (
      let wake = this.agent.nextWakeAtMs;
      wake !== null && wake <= untilMs;
      wake = this.agent.nextWakeAtMs
    ) {
      this.nowMs = Math.max(this.nowMs, wake);
      this.agent.advance(this.nowMs);
      this.#take();
    }
    this.nowMs = untilMs;
    this.agent.advance(untilMs);
    this.#take();
  }

  invite(request: Partial<InviteRequest> = {}): CallNumber {
    const call = this.agent.invite(
      {
        callId: 'ours-1',
        from: { uri: 'sip:+12025550100@10.0.0.1' },
        toUri: 'sip:+12025550101@10.0.0.9',
        destination: PEER,
        media: { host: AGENT_HOST, port: 40_000 },
        ...request,
      },
      this.nowMs,
    );
    this.#take();
    return call;
  }

  /** Runs a command on the agent and collects the actions that follow. */
  run(command: (agent: UserAgent, nowMs: number) => void): void {
    command(this.agent, this.nowMs);
    this.#take();
  }

  /** Messages sent since the last time, in order. */
  sent(): SipMessage[] {
    return this.#unread.splice(0).map(({ message }) => message);
  }

  /** The same with destination and reference. */
  sentWithWay(): { message: SipMessage; destination: Destination; reference: string | null }[] {
    return this.#unread.splice(0);
  }

  /** `INVITE`, `200 BYE`, … of the messages that were sent since the last call. */
  sentLines(): string[] {
    return this.sent().map(lineOf);
  }

  /** The only request sent since the last time. */
  sentRequest(): SipRequest {
    const requests = this.sent().filter((message) => message.kind === 'request');
    const [request] = requests;
    if (!request || requests.length > 1) throw new Error(`Sent ${requests.length} requests, not one`);
    return request;
  }

  /** The types of events so far. */
  eventTypes(): string[] {
    return this.events.map(({ event }) => event.type);
  }

  ends(): string[] {
    return this.events.flatMap(({ event }) => (event.type === 'ended' ? [event.end.by] : []));
  }

  #take(): void {
    for (const action of this.agent.takeActions()) {
      if (action.type === 'send') {
        const { destination, reference } = action;
        this.#unread.push({ message: parseMessage(action.bytes), destination, reference });
      } else if (action.type === 'call') this.events.push(action);
      else if (action.type === 'incoming') this.incoming.push(action);
      else if (action.type === 'fault') throw action.error;
      else this.others.push(action);
    }
  }
}

/** `INVITE` or `200 INVITE`. */
export function lineOf(message: SipMessage): string {
  const method = headerValue(message, 'CSeq')?.split(' ')[1] ?? '';
  return message.kind === 'request' ? message.method : `${message.status} ${method}`;
}

/** The tag in To of a message. */
export function toTag(message: SipMessage): string {
  return /;tag=([^;]+)/.exec(headerValue(message, 'To') ?? '')?.[1] ?? '';
}

/** The branch of the top Via. */
export function branch(message: SipMessage): string {
  return /;branch=([^;]+)/.exec(headerList(message, 'Via')[0] ?? '')?.[1] ?? '';
}
