/**
 * Registers one Contact at one registrar and keeps it registered (RFC 3261 section 10.2). `registration.rules.ts` decides,
 * `registrar-servers.ts` asks; this file holds the time, and what is reported.
 */
import { BackgroundWork, pause, type Log } from '@parley/runtime';
import type { RandomSource } from '@parley/sip';
import { RegistrarServers, type RegistrarAccess } from './registrar-servers.ts';
import { backOffMs, nextStep, type AttemptOutcome, type NextStep } from './registration.rules.ts';
import {
  expiresSecondsOf,
  type RegistrationRequest,
  type RegistrationStatus,
} from './registration-request.ts';

/** What a registration uses of its SIP endpoint. */
export interface RegistrationEndpoint extends RegistrarAccess {
  readonly log: Log;
  /** The registration has stopped. */
  forget(registration: Registration): void;
}

/** How long {@link Registration.stop} waits for the registrar, milliseconds. */
const STOP_LIMIT_MS = 2000;
const NOT_CONFIRMED = 'The registrar has not confirmed that it removed the registration';
/** The shortest wait for a refresh, whatever the registrar grants, milliseconds. */
const MIN_REFRESH_MS = 1000;
/** How long one attempt to return to preferred servers may take in all, milliseconds. */
const RETURN_LIMIT_MS = 8000;

/** What the registrar has said to the end of a registration. */
interface Removal {
  isConfirmed: boolean;
  statusCode: number | null;
}

/** A registration runs from its creation until {@link stop} or {@link abandon}. */
export class Registration {
  readonly #request: RegistrationRequest;
  readonly #endpoint: RegistrationEndpoint;
  readonly #servers: RegistrarServers;
  readonly #work: BackgroundWork;
  readonly #stopping = new AbortController();
  #expiresSeconds: number;
  #failures = 0;
  #wasTooBrief = false;
  /** Until when the registrar has granted our Contact, monotonic milliseconds. */
  #grantedUntilMs = -Infinity;
  /** When the servers preferred to the one that holds our Contact are asked again, monotonic milliseconds. */
  #returnAtMs = Infinity;
  /** Attempts to return that have failed since the latest success. */
  #failedReturns = 0;
  #isReturning = false;
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
    this.#servers = new RegistrarServers(request, endpoint);
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
      if (waitMs > 0) await this.#wait(waitMs);
    }
  }

  /** Until the next refresh. Meanwhile, a registration that has failed over tries to return. */
  async #wait(waitMs: number): Promise<void> {
    const { clock } = this.#endpoint;
    const { signal } = this.#stopping;
    const limitMs = Math.min(RETURN_LIMIT_MS, waitMs / 2);
    let untilMs = clock.monotonic() + waitMs;
    while (!signal.aborted) {
      const nowMs = clock.monotonic();
      // An attempt that could delay the refresh begins after it.
      if (Math.max(nowMs, this.#returnAtMs) + limitMs > untilMs) return pause(clock, untilMs - nowMs, signal);
      await pause(clock, this.#returnAtMs - nowMs, signal);
      const refreshMs = await this.#return(limitMs);
      if (refreshMs !== null) untilMs = clock.monotonic() + refreshMs;
    }
  }

  /**
   * Registers at a server that is preferred to the one that holds our Contact, which that one keeps until its time ends. Servers
   * may share what they hold, and then to remove it from one would remove it from the other.
   *
   * @returns when to refresh, milliseconds; null: it has not returned
   */
  async #return(limitMs: number): Promise<number | null> {
    const { signal } = this.#stopping;
    const askedSeconds = this.#expiresSeconds;
    this.#isReturning = true;
    const outcome = await this.#servers.registerAtPreferred(askedSeconds, { limitMs, signal });
    this.#isReturning = false;
    const step = this.#nextStep(outcome, { askedSeconds, failures: this.#failedReturns });
    if (step.type !== 'failed') return this.#follow(step);
    this.#failedReturns += 1;
    this.#returnAtMs = this.#endpoint.clock.monotonic() + step.waitMs;
    return null;
  }

  /** @returns how long to wait for the next attempt, milliseconds */
  async #attempt(): Promise<number> {
    const askedSeconds = this.#expiresSeconds;
    const outcome = await this.#servers.register(askedSeconds, this.#stopping.signal);
    return this.#follow(this.#nextStep(outcome, { askedSeconds, failures: this.#failures }));
  }

  #nextStep(outcome: AttemptOutcome, about: { askedSeconds: number; failures: number }): NextStep {
    const random = randomShare(this.#endpoint.random);
    const step = nextStep(outcome, { ...about, wasTooBrief: this.#wasTooBrief, random });
    this.#wasTooBrief = step.type === 'ask-longer';
    return step;
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
    this.#planReturn();
    const { askedAtMs } = this.#servers;
    // From the request on, not from its answer: the registrar has counted since some instant between the two.
    this.#grantedUntilMs = askedAtMs + step.expiresSeconds * 1000;
    this.#report({ state: 'registered', lastError: null, statusCode: step.statusCode });
    return Math.max(MIN_REFRESH_MS, askedAtMs + step.refreshMs - this.#endpoint.clock.monotonic());
  }

  #planReturn(): void {
    if (!this.#servers.hasPreferred) {
      this.#returnAtMs = Infinity;
      this.#failedReturns = 0;
    } else if (this.#returnAtMs === Infinity) {
      const random = randomShare(this.#endpoint.random);
      this.#returnAtMs = this.#endpoint.clock.monotonic() + backOffMs({ failures: 0, random });
    }
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#isReturning) this.#servers.drop();
    const limit = new AbortController();
    const limited = pause(this.#endpoint.clock, STOP_LIMIT_MS, limit.signal);
    const removal: Removal = { isConfirmed: false, statusCode: null };
    await Promise.race([this.#leave(removal), limited]);
    limit.abort();
    const { isConfirmed, statusCode } = removal;
    if (isConfirmed) this.#grantedUntilMs = -Infinity;
    this.#end({ lastError: isConfirmed ? null : NOT_CONFIRMED, statusCode });
  }

  #end(about: Pick<RegistrationStatus, 'lastError' | 'statusCode'>): void {
    this.#isOver = true;
    // A REGISTER that is repeated after this instant could undo one of the next registration of the same Contact.
    this.#servers.drop();
    this.#report({ state: 'stopped', ...about });
    this.#endpoint.forget(this);
  }

  /**
   * RFC 3261 section 10.2: no new REGISTER before the previous one has a final response or has timed out. The servers that have
   * granted our Contact must confirm; those whose answer has not arrived only when there are no others.
   */
  async #leave(removal: Removal): Promise<void> {
    await this.#work.settled();
    const { held } = this.#servers;
    const mustAll = !held.some(({ isGranted }) => isGranted);
    removal.isConfirmed = held.length === 0;
    for (const { target } of held) {
      if (this.#isOver) return;
      const outcome = await this.#servers.remove(target);
      if ('status' in outcome) removal.statusCode ??= outcome.status;
      removal.isConfirmed = !this.#servers.held.some(({ isGranted }) => isGranted || mustAll);
    }
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

/** From 0 up to, not including, 1. */
function randomShare(random: RandomSource): number {
  return random(4).reduce((number, byte) => number * 256 + byte, 0) / 2 ** 32;
}
