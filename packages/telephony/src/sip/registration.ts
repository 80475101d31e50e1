/**
 * Registers one Contact at one registrar and keeps it registered (RFC 3261 section 10.2). `registration.rules.ts` decides;
 * this file holds the time, the name of the registrar, and what is reported.
 */
import { BackgroundWork, pause, type Clock, type Log } from '@parley/runtime';
import {
  Binding,
  type OwnAddress,
  type RandomSource,
  type RegisterOutcome,
  type RegisterRequest,
} from '@parley/sip';
import { destinationOf, type TrunkHost, type TrunkTarget, type TrunkTargets } from './dial-request.ts';
import { nextStep, type AttemptOutcome, type NextStep } from './registration.rules.ts';
import {
  bindingOptions,
  expiresSecondsOf,
  type RegistrarAddress,
  type RegistrationRequest,
  type RegistrationStatus,
} from './registration-request.ts';

/** A REGISTER under way. */
export interface PendingRegister {
  /** Never rejects; after `drop` it is `no-response`. */
  outcome: Promise<RegisterOutcome>;
  /** Ends the retransmissions. */
  drop(): void;
}

/** What a registration uses of its SIP endpoint. */
export interface RegistrationEndpoint {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: RandomSource;
  /** The address at which others reach the endpoint. */
  readonly address: OwnAddress;
  /** @throws Error when the host has no address, or none that is allowed */
  locate(registrar: RegistrarAddress): Promise<TrunkTargets>;
  send(request: RegisterRequest): PendingRegister;
  /** The registration has stopped. */
  forget(registration: Registration): void;
}

/** How long {@link Registration.stop} waits for the registrar, milliseconds. */
const STOP_LIMIT_MS = 2000;
/** The shortest wait for a refresh, whatever the registrar grants, milliseconds. */
const MIN_REFRESH_MS = 1000;

/** A registration runs from its creation until {@link stop} or {@link abandon}. */
export class Registration {
  readonly #request: RegistrationRequest;
  readonly #endpoint: RegistrationEndpoint;
  /** One for each host ({@link hostKey}). */
  readonly #bindings: ReadonlyMap<string, Binding>;
  readonly #work: BackgroundWork;
  readonly #stopping = new AbortController();
  #expiresSeconds: number;
  #failures = 0;
  #wasTooBrief = false;
  /** Until when the registrar has granted our Contact, monotonic milliseconds. */
  #grantedUntilMs = -Infinity;
  /** Until when it may hold our Contact although its answer has not arrived, monotonic milliseconds. */
  #perhapsUntilMs = -Infinity;
  /** When the latest server was asked, monotonic milliseconds. */
  #askedAtMs = -Infinity;
  /** The server that has granted our Contact last. */
  #grantedBy: TrunkTarget | null = null;
  #pending: PendingRegister | null = null;
  #status: RegistrationStatus = { state: 'registering', expiresAt: null, lastError: null, statusCode: null };
  #stopped: Promise<void> | null = null;
  #isOver = false;

  /**
   * Begins to register.
   *
   * @throws RangeError when `expiresSeconds` is out of its range, or the user name is empty
   * @throws SipParseError when a host or a domain is malformed
   */
  constructor(request: RegistrationRequest, endpoint: RegistrationEndpoint) {
    this.#request = request;
    this.#endpoint = endpoint;
    this.#expiresSeconds = expiresSecondsOf(request);
    const { registrar } = request;
    this.#bindings = new Map(
      [registrar, ...(registrar.otherHosts ?? [])].map(({ host, port }) => {
        const at = { ...request, registrar: { ...registrar, host, port } };
        return [
          hostKey({ host, port }),
          new Binding(bindingOptions(at, endpoint.address), endpoint.random),
        ] as const;
      }),
    );
    this.#work = new BackgroundWork(endpoint.log);
    this.#work.start('keep a SIP registration', () => this.#keep());
  }

  /** The same object until the next change. */
  get status(): RegistrationStatus {
    return this.#status;
  }

  /** Removes our Contact from the registrar if that may hold it, and waits at most 2 s for the answer. Never rejects. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Ends at once, and leaves our Contact at the registrar: another endpoint has registered the same one. */
  abandon(): void {
    if (this.#stopped) return;
    this.#stopped = Promise.resolve();
    this.#stopping.abort();
    this.#end({ lastError: null, statusCode: null });
  }

  async #keep(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const waitMs = await this.#attempt();
      if (waitMs > 0) await pause(this.#endpoint.clock, waitMs, this.#stopping.signal);
    }
  }

  /** @returns how long to wait for the next attempt, milliseconds */
  async #attempt(): Promise<number> {
    const askedSeconds = this.#expiresSeconds;
    const outcome = await this.#send(askedSeconds);
    const step = nextStep(outcome, {
      failures: this.#failures,
      askedSeconds,
      wasTooBrief: this.#wasTooBrief,
      random: randomShare(this.#endpoint.random),
    });
    const isUnknown = !('status' in outcome) && outcome.by !== 'no-address';
    if (isUnknown) this.#perhapsUntilMs = this.#endpoint.clock.monotonic() + askedSeconds * 1000;
    this.#wasTooBrief = step.type === 'ask-longer';
    return this.#follow(step);
  }

  #follow(step: NextStep): number {
    if (step.type === 'ask-longer') {
      this.#expiresSeconds = step.expiresSeconds;
      return 0;
    }
    if (step.type === 'failed') {
      this.#failures += 1;
      this.#report({ state: 'failed', lastError: step.error, statusCode: step.statusCode });
      return step.waitMs;
    }
    this.#failures = 0;
    // From the request on, not from its answer: the registrar has counted since some instant between the two.
    this.#grantedUntilMs = this.#askedAtMs + step.expiresSeconds * 1000;
    this.#report({ state: 'registered', lastError: null, statusCode: step.statusCode });
    return Math.max(MIN_REFRESH_MS, this.#askedAtMs + step.refreshMs - this.#endpoint.clock.monotonic());
  }

  /** A server that does not answer, or answers 503, is followed by the next one (RFC 3263 section 4.3). */
  async #send(expiresSeconds: number): Promise<AttemptOutcome> {
    let targets: TrunkTargets;
    try {
      targets = await this.#endpoint.locate(this.#request.registrar);
    } catch (error) {
      return { by: 'no-address', reason: error instanceof Error ? error.message : String(error) };
    }
    let outcome: AttemptOutcome = { by: 'no-response' };
    for (const target of grantingFirst(targets, this.#grantedBy)) {
      if (this.#isOver) return { by: 'no-response' };
      outcome = await this.#sendTo(target, expiresSeconds);
      if (outcome.by === 'grant') this.#grantedBy = target;
      if (!isUnavailable(outcome)) return outcome;
    }
    return outcome;
  }

  async #sendTo(target: TrunkTarget, expiresSeconds: number): Promise<AttemptOutcome> {
    const binding = this.#bindings.get(hostKey(target));
    if (!binding) throw new Error('The server belongs to no host of the registrar');
    const destination = destinationOf(this.#request.registrar, target);
    this.#askedAtMs = this.#endpoint.clock.monotonic();
    this.#pending = this.#endpoint.send({ binding, destination, expiresSeconds });
    const outcome = await this.#pending.outcome;
    this.#pending = null;
    return outcome;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    const limit = new AbortController();
    const limited = pause(this.#endpoint.clock, STOP_LIMIT_MS, limit.signal);
    const left = await Promise.race([this.#leave(), limited.then(() => null)]);
    limit.abort();
    if (left?.by === 'grant') this.#grantedUntilMs = -Infinity;
    const isRemoved = left?.by === 'grant' || left?.by === 'nothing-to-remove';
    const lastError = isRemoved ? null : 'The registrar has not confirmed that it removed the registration';
    const statusCode = left !== null && 'status' in left ? left.status : null;
    this.#end({ lastError, statusCode });
  }

  #end(about: Pick<RegistrationStatus, 'lastError' | 'statusCode'>): void {
    this.#isOver = true;
    // A REGISTER that is repeated after this instant could undo one of the next registration of the same Contact.
    this.#pending?.drop();
    this.#report({ state: 'stopped', ...about });
    this.#endpoint.forget(this);
  }

  /** RFC 3261 section 10.2: no new REGISTER before the previous one has a final response or has timed out. */
  async #leave(): Promise<AttemptOutcome | { by: 'nothing-to-remove' }> {
    await this.#work.settled();
    const untilMs = Math.max(this.#grantedUntilMs, this.#perhapsUntilMs);
    if (this.#isOver || untilMs <= this.#endpoint.clock.monotonic()) return { by: 'nothing-to-remove' };
    return this.#send(0);
  }

  #report(change: Omit<RegistrationStatus, 'expiresAt'>): void {
    if (this.#stopping.signal.aborted && change.state !== 'stopped') return;
    this.#status = { ...change, expiresAt: this.#expiresAt() };
    try {
      this.#request.onChange?.(this.#status);
    } catch (error) {
      this.#endpoint.log.error({ err: error }, 'The owner of a SIP registration failed to take its change');
    }
  }

  #expiresAt(): Date | null {
    const leftMs = this.#grantedUntilMs - this.#endpoint.clock.monotonic();
    return leftMs > 0 ? new Date(this.#endpoint.clock.now() + leftMs) : null;
  }
}

/**
 * A refresh begins with the server that holds our Contact: the 32 seconds in which another one does not answer can be longer than what
 * is left of the time granted.
 */
function grantingFirst(targets: TrunkTargets, grantedBy: TrunkTarget | null): readonly TrunkTarget[] {
  const isGranting = ({ address, addressPort }: TrunkTarget): boolean =>
    address === grantedBy?.address && addressPort === grantedBy.addressPort;
  return [...targets.filter(isGranting), ...targets.filter((target) => !isGranting(target))];
}

function hostKey({ host, port }: TrunkHost): string {
  return `${host} ${port}`;
}

function isUnavailable(outcome: AttemptOutcome): boolean {
  return 'status' in outcome ? outcome.status === 503 : outcome.by !== 'no-address';
}

/** From 0 up to, not including, 1. */
function randomShare(random: RandomSource): number {
  return random(4).reduce((number, byte) => number * 256 + byte, 0) / 2 ** 32;
}
