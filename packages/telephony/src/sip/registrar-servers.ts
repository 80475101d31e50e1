/**
 * The servers of one registrar: which of them is asked, which holds our Contact, and which are preferred to that one.
 */
import type { Clock } from '@parley/runtime';
import {
  Binding,
  type OwnAddress,
  type RandomSource,
  type RegisterOutcome,
  type RegisterRequest,
} from '@parley/sip';
import { destinationOf, type TrunkHost, type TrunkTarget, type TrunkTargets } from './dial-request.ts';
import { HeldContacts, type HeldContact } from './held-contacts.ts';
import { bindingOptions, type RegistrarAddress, type RegistrationRequest } from './registration-request.ts';
import type { AttemptOutcome } from './registration.rules.ts';

/** A REGISTER under way. */
export interface PendingRegister {
  /** Never rejects; after `drop` it is `no-response`. */
  outcome: Promise<RegisterOutcome>;
  /** Ends the retransmissions. */
  drop(): void;
}

/** How requests to a registrar are sent. */
export interface RegistrarAccess {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** The address at which others reach the endpoint. */
  readonly address: OwnAddress;
  /** @throws Error when the host has no address, or none that is allowed */
  locate(registrar: RegistrarAddress): Promise<TrunkTargets>;
  send(request: RegisterRequest): PendingRegister;
}

/** More than the highest priority of an SRV record (RFC 2782). */
const PRIORITIES = 65_536;

/** One per registration; it sends one request at a time. */
export class RegistrarServers {
  readonly #request: RegistrationRequest;
  readonly #endpoint: RegistrarAccess;
  /** One for each host ({@link hostKey}), in the order of the hosts. */
  readonly #bindings: ReadonlyMap<string, Binding>;
  readonly #held = new HeldContacts();
  /** The server that has granted our Contact last. */
  #grantedBy: TrunkTarget | null = null;
  #isPreferredKnown = false;
  #pending: PendingRegister | null = null;
  /** When the latest server was asked, monotonic milliseconds. */
  askedAtMs = -Infinity;

  /** @throws SipParseError when a host or a domain is malformed */
  constructor(request: RegistrationRequest, endpoint: RegistrarAccess) {
    this.#request = request;
    this.#endpoint = endpoint;
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
  }

  /** Whether the registrar had servers at the latest attempt that are preferred to the one that holds our Contact. */
  get hasPreferred(): boolean {
    return this.#isPreferredKnown;
  }

  /** Those that hold our Contact, or may hold it. */
  get held(): HeldContact[] {
    return this.#held.at(this.#endpoint.clock.monotonic());
  }

  /** A server that does not answer, or answers 503, is followed by the next one (RFC 3263 section 4.3). */
  async register(expiresSeconds: number, signal: AbortSignal): Promise<AttemptOutcome> {
    const targets = await this.#locate();
    if ('by' in targets) return targets;
    const outcome = await this.#ask(grantingFirst(targets, this.#grantedBy), { expiresSeconds, signal });
    this.#isPreferredKnown = targets.some((target) => this.#isPreferred(target));
    return outcome;
  }

  /** Asks only the servers that are preferred, each for its share of the time. */
  async registerAtPreferred(
    expiresSeconds: number,
    { limitMs, signal }: { limitMs: number; signal: AbortSignal },
  ): Promise<AttemptOutcome> {
    const targets = await this.#locate();
    if ('by' in targets) return targets;
    const preferred = targets.filter((target) => this.#isPreferred(target));
    const about = { expiresSeconds, signal, limitMs: limitMs / preferred.length };
    const outcome = await this.#ask(preferred, about);
    this.#isPreferredKnown = targets.some((target) => this.#isPreferred(target));
    return outcome;
  }

  /** Removes our Contact from a server. */
  async remove(target: TrunkTarget): Promise<RegisterOutcome> {
    const outcome = await this.#send(target, 0);
    if (outcome.by === 'grant') this.#held.remove(target);
    return outcome;
  }

  /** Ends the request under way; its outcome is `no-response`. */
  drop(): void {
    this.#pending?.drop();
  }

  async #ask(
    targets: readonly TrunkTarget[],
    {
      expiresSeconds,
      signal,
      limitMs = Infinity,
    }: { expiresSeconds: number; signal: AbortSignal; limitMs?: number },
  ): Promise<AttemptOutcome> {
    const { clock } = this.#endpoint;
    let outcome: AttemptOutcome = { by: 'no-response' };
    for (const target of targets) {
      if (signal.aborted) return { by: 'no-response' };
      const limit = Number.isFinite(limitMs) ? clock.after(limitMs, () => this.drop()) : null;
      outcome = await this.#send(target, expiresSeconds);
      limit?.cancel();
      this.#note(target, { outcome, expiresSeconds });
      if (!isUnavailable(outcome)) return outcome;
    }
    return outcome;
  }

  async #send(target: TrunkTarget, expiresSeconds: number): Promise<RegisterOutcome> {
    const binding = this.#bindings.get(hostKey(target));
    if (!binding) throw new Error('The server belongs to no host of the registrar');
    const destination = destinationOf(this.#request.registrar, target);
    this.askedAtMs = this.#endpoint.clock.monotonic();
    this.#pending = this.#endpoint.send({ binding, destination, expiresSeconds });
    const outcome = await this.#pending.outcome;
    this.#pending = null;
    return outcome;
  }

  #note(
    target: TrunkTarget,
    { outcome, expiresSeconds }: { outcome: RegisterOutcome; expiresSeconds: number },
  ): void {
    const isGranted = outcome.by === 'grant';
    // A server whose answer has not arrived counts from some instant until now.
    const fromMs = isGranted ? this.askedAtMs : this.#endpoint.clock.monotonic();
    const seconds = isGranted ? outcome.expiresSeconds : expiresSeconds;
    if (isGranted || !('status' in outcome))
      this.#held.note({ target, untilMs: fromMs + seconds * 1000, isGranted });
    if (isGranted) this.#grantedBy = target;
  }

  async #locate(): Promise<TrunkTargets | Extract<AttemptOutcome, { by: 'no-address' }>> {
    try {
      return await this.#endpoint.locate(this.#request.registrar);
    } catch (error) {
      return { by: 'no-address', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #isPreferred(target: TrunkTarget): boolean {
    return this.#grantedBy !== null && this.#rankOf(target) < this.#rankOf(this.#grantedBy);
  }

  /**
   * The rank of a server: by its host first, then by its SRV record. Among servers of one rank, chance decides which is asked
   * first (RFC 2782).
   */
  #rankOf(target: TrunkTarget): number {
    return [...this.#bindings.keys()].indexOf(hostKey(target)) * PRIORITIES + (target.priority ?? 0);
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

function isUnavailable(outcome: RegisterOutcome): boolean {
  return 'status' in outcome ? outcome.status === 503 : true;
}
