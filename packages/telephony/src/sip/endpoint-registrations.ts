/**
 * The registrations of one SIP endpoint: connects them to its agent, and stops them with the endpoint.
 */
import type { Clock, Log, PrivateAddresses } from '@parley/runtime';
import type {
  AgentAction,
  OwnAddress,
  RandomSource,
  RegisterOutcome,
  RegisterRequest,
  UserAgent,
} from '@parley/sip';
import type { AgentDriver } from './agent-driver.ts';
import { findTargets } from './find-targets.ts';
import type { PendingRegister } from './registrar-servers.ts';
import { Registration, type RegistrationEndpoint } from './registration.ts';
import type { RegistrarAddress, RegistrationRequest } from './registration-request.ts';

/** What the registrations use of the driver of the endpoint. */
interface RegistrationDriver extends Pick<AgentDriver, 'locate'> {
  run(input: (agent: UserAgent, nowMs: number) => void): void;
}

/** The configuration. */
export interface EndpointRegistrationsOptions {
  clock: Clock;
  log: Log;
  random: RandomSource;
  driver: RegistrationDriver;
  /** Which non-public addresses the hosts of registrars may resolve to. */
  allowed: PrivateAddresses;
}

/** One per endpoint. */
export class EndpointRegistrations {
  readonly #options: EndpointRegistrationsOptions;
  readonly #open = new Set<Registration>();
  readonly #waiting = new Map<number, (outcome: RegisterOutcome) => void>();

  constructor(options: EndpointRegistrationsOptions) {
    this.#options = options;
  }

  /** Begins a registration. @throws RangeError, SipParseError like the constructor of {@link Registration} */
  open(request: RegistrationRequest, address: OwnAddress): Registration {
    const registration = new Registration(request, this.#endpoint(address));
    this.#open.add(registration);
    return registration;
  }

  /** Takes the report of the agent. */
  take({ id, outcome }: Extract<AgentAction, { type: 'register-ended' }>): void {
    this.#settle(id, outcome);
  }

  /** Stops them all; takes at most 2 s. */
  async stop(): Promise<void> {
    await Promise.all([...this.#open].map((registration) => registration.stop()));
  }

  #endpoint(address: OwnAddress): RegistrationEndpoint {
    const { clock, log, random, driver, allowed } = this.#options;
    return {
      clock,
      log,
      random,
      address,
      locate: async (registrar: RegistrarAddress) =>
        findTargets(driver, registrar, registrar.isTrusted ? 'all' : allowed),
      send: (request) => this.#send(request),
      forget: (registration) => this.#open.delete(registration),
    };
  }

  #send(request: RegisterRequest): PendingRegister {
    const { promise: outcome, resolve } = Promise.withResolvers<RegisterOutcome>();
    let sent: number | null = null;
    this.#options.driver.run((agent, nowMs) => {
      sent = agent.register(request, nowMs);
      this.#waiting.set(sent, resolve);
    });
    // The endpoint is closed.
    if (sent === null) resolve({ by: 'transport' });
    return { outcome, drop: () => sent !== null && this.#drop(sent) };
  }

  #drop(id: number): void {
    this.#options.driver.run((agent, nowMs) => agent.dropRegister(id, nowMs));
    this.#settle(id, { by: 'no-response' });
  }

  #settle(id: number, outcome: RegisterOutcome): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }
}
