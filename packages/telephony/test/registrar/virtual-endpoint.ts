/**
 * A SIP agent and a registrar on a network without sockets, all under a clock moved by hand. Datagrams are delayed, so that
 * they overtake each other, and lost with a given probability.
 */
import { expect } from 'vitest';
import { ManualClock, silentLog, type Timer, type FoundServers } from '@parley/runtime';
import { UserAgent, type Destination } from '@parley/sip';
import { EndpointRegistrations } from '../../src/sip/endpoint-registrations.ts';
import type { Registration } from '../../src/sip/registration.ts';
import type { RegistrationRequest, RegistrationStatus } from '../../src/sip/registration-request.ts';
import { RegistrarSimulator, REGISTRAR_USER, type SimulatorOptions } from './registrar-simulator.ts';

const OUR_ADDRESS = { host: '10.0.0.1', port: 5060 };
export const OUR_CONTACT = `sip:${REGISTRAR_USER}@10.0.0.1:5060`;
const REGISTRAR_HOST = 'registrar.test';
const REGISTRAR_IP = '10.0.0.9';
const SECOND_IP = '10.0.0.10';
/** A host of its own, for {@link RegistrarAddress.otherHosts}. */
export const OTHER_HOST = { host: 'other.test', port: 5060 };

/** Numbers from 0 up to, not including, 1: the generator of Numerical Recipes, with its high bits. */
function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface VirtualOptions extends Partial<SimulatorOptions> {
  seed?: number;
  /** 0 to 1, in each direction. */
  loss?: number;
  /** Whether the domain of the registrar has a second server. */
  hasSecond?: boolean;
  /** The priority of the SRV record of that second server; that of the first is 10. Default: 10. */
  secondPriority?: number;
  /** The longest time on the way; the shortest is 1 ms. */
  delayMs?: number;
}

export class VirtualEndpoint {
  readonly clock = new ManualClock();
  readonly registrar: RegistrarSimulator;
  /** At the second address of the domain, where it has one. */
  readonly second: RegistrarSimulator;
  readonly agent: UserAgent;
  readonly statuses: RegistrationStatus[] = [];
  readonly faults: unknown[] = [];
  /** Every datagram that was sent, lost ones included: our request lines and the registrar's status lines. */
  readonly sent: { atMs: number; text: string }[] = [];
  /** Thrown by the next lookups of the registrar. */
  lookupFault: Error | null = null;
  delayMs: number;
  loss: number;
  /** May replace what the registrar sends. */
  onAnswer: (text: string) => string = (text) => text;
  readonly #registrations: EndpointRegistrations;
  readonly #hasSecond: boolean;
  readonly #secondPriority: number;
  readonly #next: () => number;
  #wake: Timer | null = null;

  constructor({
    seed = 1,
    loss = 0,
    delayMs = 1,
    hasSecond = false,
    secondPriority = 10,
    ...options
  }: VirtualOptions = {}) {
    this.#next = seededNumbers(seed);
    this.loss = loss;
    this.delayMs = delayMs;
    this.#hasSecond = hasSecond;
    this.#secondPriority = secondPriority;
    const random = (byteCount: number): Uint8Array =>
      Uint8Array.from({ length: byteCount }, () => Math.floor(this.#next() * 256));
    const nowMs = (): number => this.clock.monotonic();
    const about = { nowMs, uri: `sip:${REGISTRAR_HOST}`, ...options };
    this.registrar = new RegistrarSimulator(about);
    this.second = new RegistrarSimulator(hasSecond ? about : { ...about, uri: `sip:${OTHER_HOST.host}` });
    this.agent = new UserAgent({ address: OUR_ADDRESS, userAgent: 'Test', random });
    this.#registrations = new EndpointRegistrations({
      clock: this.clock,
      log: silentLog,
      random,
      driver: { run: (input) => this.#run(input), locate: async ({ host }) => this.#locate(host) },
      allowed: 'all',
    });
  }

  register(request: Partial<RegistrationRequest> = {}): Registration {
    return this.#registrations.open(
      {
        registrar: { host: REGISTRAR_HOST, port: 5060, transport: 'udp' },
        username: REGISTRAR_USER,
        password: 'secret',
        onChange: (status) => this.statuses.push(status),
        ...request,
      },
      OUR_ADDRESS,
    );
  }

  /** Moves time; promises get their turn every `stepMs`. */
  async advance(byMs: number, stepMs = 50): Promise<void> {
    await this.clock.advanceAsync(byMs, stepMs);
  }

  /** Moves time until the registration has this state; at most two hours. */
  async until(registration: Registration, state: RegistrationStatus['state']): Promise<void> {
    for (let leftMs = 7_200_000; leftMs > 0 && registration.status.state !== state; leftMs -= 50)
      await this.advance(50);
    expect(registration.status.state).toBe(state);
  }

  /** Bytes of somebody else arrive. */
  inject(text: string): void {
    this.#receive(text, REGISTRAR_IP);
  }

  /** The times of the REGISTERs that were sent for the first time, not as answer to a challenge, milliseconds. */
  attemptTimes(): number[] {
    const { exchanges } = this.registrar;
    return exchanges.filter((_, index) => exchanges[index - 1]?.status !== 401).map(({ atMs }) => atMs);
  }

  async #locate(host: string): Promise<FoundServers> {
    if (this.lookupFault) throw this.lookupFault;
    if (host === OTHER_HOST.host) return { source: 'host', servers: [{ address: SECOND_IP, port: 5060 }] };
    const second = { address: SECOND_IP, port: 5060, priority: this.#secondPriority };
    const others = this.#hasSecond ? [second] : [];
    return { source: 'srv', servers: [{ address: REGISTRAR_IP, port: 5060, priority: 10 }, ...others] };
  }

  #receive(text: string, host: string): void {
    const source: Destination = { transport: 'udp', host, port: 5060, connectionId: null };
    this.#run((agent, nowMs) => agent.receive(text, source, nowMs));
  }

  #run(input: (agent: UserAgent, nowMs: number) => void): void {
    input(this.agent, this.clock.monotonic());
    for (const action of this.agent.takeActions()) {
      if (action.type === 'send') this.#toRegistrar(action.bytes, action.destination.host);
      else if (action.type === 'register-ended') this.#registrations.take(action);
      else if (action.type === 'fault') this.faults.push(action.error);
    }
    this.#wake?.cancel();
    const wakeAtMs = this.agent.nextWakeAtMs;
    if (wakeAtMs === null) return;
    this.#wake = this.clock.after(wakeAtMs - this.clock.monotonic(), () =>
      this.#run((agent, nowMs) => agent.advance(nowMs)),
    );
  }

  #toRegistrar(bytes: Uint8Array, host: string): void {
    const registrar = host === SECOND_IP ? this.second : this.registrar;
    this.#transmit(Buffer.from(bytes).toString('latin1'), (text) => {
      const answer = registrar.receive(Buffer.from(text, 'latin1'));
      if (answer) this.#toUs(this.onAnswer(Buffer.from(answer).toString('latin1')), host);
    });
  }

  #toUs(answer: string, host: string): void {
    this.#transmit(answer, (text) => this.#receive(text, host));
  }

  #transmit(text: string, deliver: (text: string) => void): void {
    this.sent.push({ atMs: this.clock.monotonic(), text });
    if (this.#next() < this.loss) return;
    this.clock.after(1 + this.#next() * (this.delayMs - 1), () => deliver(text));
  }
}
