/**
 * Several agents on one network of datagrams under one clock moved by hand. Datagrams are delayed at random (so they
 * overtake each other) and lost with a given probability. What passed is kept for the tests to look at.
 */
import type { AgentAction } from '../src/call/agent-actions.ts';
import type { Destination } from '../src/message/destination.ts';
import { parseMessage } from '../src/message/parse-message.ts';
import { headerValue } from '../src/message/message.ts';
import { UserAgent } from '../src/call/user-agent.ts';
import { seededNumbers, seededRandom } from './seeded-random.ts';

interface Flight {
  atMs: number;
  order: number;
  bytes: Uint8Array;
  from: Destination;
  to: Destination;
}

export interface NetworkOptions {
  seed?: number;
  /** 0 to 1, in each direction. */
  loss?: number;
  /** Shortest and longest time on the way. */
  delayMs?: [number, number];
}

/** Where an agent of this network lives. */
export function at(host: string): Destination {
  return { transport: 'udp', host, port: 5060, connectionId: null };
}

export class LossyNetwork {
  readonly agents = new Map<string, UserAgent>();
  /** `INVITE`, `200 INVITE`, … in the order sent, lost ones included. */
  readonly log: string[] = [];
  readonly actions: { host: string; action: Exclude<AgentAction, { type: 'send' }> }[] = [];
  /** Called with everything an agent reports, as its driver would be. */
  onAction: (host: string, action: AgentAction) => void = () => {};
  /** Return false to lose this datagram. */
  filter: (line: string, from: string) => boolean = () => true;
  nowMs = 0;
  readonly #flights: Flight[] = [];
  #plans: { atMs: number; run: () => void }[] = [];
  readonly #next: () => number;
  readonly #options: Required<NetworkOptions>;
  #order = 0;

  constructor(options: NetworkOptions = {}) {
    this.#options = { seed: 1, loss: 0, delayMs: [1, 1], ...options };
    this.#next = seededNumbers(this.#options.seed);
  }

  add(host: string): UserAgent {
    const agent = new UserAgent({
      address: { host, port: 5060 },
      userAgent: 'Test',
      random: seededRandom(this.#options.seed + this.agents.size + 1),
    });
    this.agents.set(host, agent);
    return agent;
  }

  /** Performs the pending actions of the agents. */
  settle(): void {
    for (let isQuiet = false; !isQuiet;) {
      isQuiet = true;
      for (const [host, agent] of this.agents) {
        for (const action of agent.takeActions()) {
          isQuiet = false;
          this.#perform(host, action);
        }
      }
    }
  }

  /** Puts bytes of a test's own making onto the wire. */
  inject(text: string | Uint8Array, from: string, to: string): void {
    this.settle();
    this.agents.get(to)?.receive(text, at(from), this.nowMs);
    this.settle();
  }

  /** Runs something at a later instant of the network's time. */
  later(delayMs: number, run: () => void): void {
    this.#plans.push({ atMs: this.nowMs + delayMs, run });
  }

  /** Moves time, delivering and waking at the right instants. */
  run(forMs: number): void {
    const untilMs = this.nowMs + forMs;
    this.settle();
    for (let next = this.#nextInstant(); next !== null && next <= untilMs; next = this.#nextInstant()) {
      this.nowMs = Math.max(this.nowMs, next);
      this.#runPlans();
      this.#deliverDue();
      for (const agent of this.agents.values()) agent.advance(this.nowMs);
      this.settle();
    }
    this.nowMs = untilMs;
    for (const agent of this.agents.values()) agent.advance(this.nowMs);
    this.settle();
  }

  #runPlans(): void {
    const due = this.#plans.filter((plan) => plan.atMs <= this.nowMs);
    this.#plans = this.#plans.filter((plan) => plan.atMs > this.nowMs);
    for (const plan of due) plan.run();
  }

  #perform(host: string, action: AgentAction): void {
    if (action.type === 'send') this.#launch(host, action.bytes, action.destination);
    else this.actions.push({ host, action });
    this.onAction(host, action);
  }

  #launch(host: string, bytes: Uint8Array, to: Destination): void {
    const line = describe(bytes);
    this.log.push(line);
    if (!this.filter(line, host) || this.#next() < this.#options.loss) return;
    const [shortest, longest] = this.#options.delayMs;
    const atMs = this.nowMs + shortest + this.#next() * (longest - shortest);
    this.#flights.push({ atMs, order: this.#order++, bytes, from: at(host), to });
  }

  #nextInstant(): number | null {
    const wakes = [...this.agents.values()].map((agent) => agent.nextWakeAtMs ?? Infinity);
    const next = Math.min(...wakes, ...[...this.#flights, ...this.#plans].map((item) => item.atMs));
    return next === Infinity ? null : next;
  }

  #deliverDue(): void {
    const due = this.#flights.filter((flight) => flight.atMs <= this.nowMs);
    due.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
    for (const flight of due) {
      this.#flights.splice(this.#flights.indexOf(flight), 1);
      this.agents.get(flight.to.host)?.receive(flight.bytes, flight.from, this.nowMs);
    }
  }
}

/** A message in one word or two. */
function describe(bytes: Uint8Array): string {
  const message = parseMessage(bytes);
  const method = headerValue(message, 'CSeq')?.split(' ')[1] ?? '';
  return message.kind === 'request' ? message.method : `${message.status} ${method}`;
}
