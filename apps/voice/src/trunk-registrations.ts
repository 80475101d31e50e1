/**
 * Registers the trunks whose leases this process holds. Every two seconds it renews its leases, takes those without a holder,
 * and acts on what changed: new settings are registered again, a trunk that no longer registers is unregistered. A process
 * that loses a lease no longer registers the trunk.
 */
import { randomUUID } from 'node:crypto';
import {
  holdRegistrations,
  LEASE_MS,
  LEASE_RENEWAL_MS,
  registeredByOthers,
  releaseRegistration,
  storeRegistration,
  type CoreContext,
  type RegistrationAccount,
} from '@parley/core';
import { pause, type BackgroundWork, type Service, type Timer } from '@parley/runtime';
import type { OwnAddress, Registration, RegistrationStatus, SipEndpoint } from '@parley/telephony';

/** The configuration. */
export interface TrunkRegistrationsOptions {
  core: CoreContext;
  endpoint: Pick<SipEndpoint, 'register'>;
  background: BackgroundWork;
  /** The address of the SIP front, which all processes behind it have in their Contacts. Absent: that of the endpoint. */
  contactAddress?: OwnAddress;
}

/** A trunk that this process registers. */
interface OpenTrunk {
  account: RegistrationAccount;
  /** Null: the account cannot be registered, and only a change can help. */
  registration: Registration | null;
  /** Why it cannot. */
  fault: UnstoppedStatus | null;
  /** The latest status in the database. */
  stored: RegistrationStatus | null;
  isStoring: boolean;
}

/** Holds leases from `start` to `stop`. */
export class TrunkRegistrations implements Service {
  readonly #options: TrunkRegistrationsOptions;
  readonly #holderId = randomUUID();
  readonly #open = new Map<number, OpenTrunk>();
  readonly #stopped = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #lapse: Timer | null = null;

  constructor(options: TrunkRegistrationsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#running = this.#keep();
  }

  /** Unregisters all trunks, so that other processes can register them at once; takes at most a few seconds. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    this.#lapse?.cancel();
    await Promise.all([...this.#open.keys()].map((trunkId) => this.#leave(trunkId)));
  }

  async #keep(): Promise<void> {
    const { clock, log } = this.#options.core;
    while (!this.#stopped.signal.aborted) {
      await this.#sync().catch((error: unknown) =>
        log.warn({ err: error }, 'The leases of registrations could not be renewed'),
      );
      await pause(clock, LEASE_RENEWAL_MS, this.#stopped.signal);
    }
  }

  async #sync(): Promise<void> {
    const { core } = this.#options;
    const startMs = core.clock.monotonic();
    const accounts = await holdRegistrations(core, this.#holderId);
    const leftMs = startMs + LEASE_MS - core.clock.monotonic();
    if (leftMs <= 0) return;
    this.#lapse?.cancel();
    this.#lapse = core.clock.after(leftMs, () => this.#lapsed());
    const held = new Set(accounts.map(({ trunkId }) => trunkId));
    const gone = [...this.#open.keys()].filter((trunkId) => !held.has(trunkId));
    const others = await registeredByOthers(core, this.#holderId, gone);
    await Promise.all([
      ...gone.map((trunkId) => (others.has(trunkId) ? this.#lose(trunkId) : this.#leave(trunkId))),
      ...accounts.map((account) => this.#keepRegistered(account)),
    ]);
  }

  /** The leases have ended without an answer of the database, so that other processes may have taken them. */
  #lapsed(): void {
    const { core, background } = this.#options;
    core.log.error({ trunks: this.#open.size }, 'The leases of registrations have ended');
    for (const trunkId of this.#open.keys())
      background.start('end a registration without a lease', () => this.#lose(trunkId));
  }

  async #keepRegistered(account: RegistrationAccount): Promise<void> {
    const { trunkId } = account;
    const known = this.#open.get(trunkId);
    if (known && JSON.stringify(known.account) === JSON.stringify(account)) return this.#store(known);
    await known?.registration?.stop();
    const trunk: OpenTrunk = { account, registration: null, fault: null, stored: null, isStoring: false };
    this.#open.set(trunkId, trunk);
    await this.#register(trunk);
  }

  async #register(trunk: OpenTrunk): Promise<void> {
    const { core, endpoint, background, contactAddress } = this.#options;
    const { trunkId, registrar, otherRegistrars: otherHosts } = trunk.account;
    const {
      transport,
      tlsVerify: isTlsVerified,
      username,
      authUsername,
      password,
      expiresSeconds,
      isOperators,
    } = trunk.account;
    try {
      trunk.registration = endpoint.register({
        registrar: { ...registrar, otherHosts, transport, isTlsVerified, isTrusted: isOperators },
        username,
        ...(authUsername === null ? {} : { authUsername }),
        password,
        expiresSeconds,
        ...(contactAddress ? { contactAddress } : {}),
        onChange: () => background.start('store the state of a registration', () => this.#store(trunk)),
      });
    } catch (error) {
      core.log.warn({ err: error, trunkId }, 'A trunk cannot be registered with its settings');
      // Stored again with the next renewal if the database does not answer.
      const reason = `The settings cannot be used: ${error instanceof Error ? error.message : String(error)}`;
      trunk.fault = { state: 'failed', statusCode: null, lastError: reason, expiresAt: null };
      await this.#store(trunk);
    }
  }

  /** Only one statement at a time, so that an older status never replaces a newer one. */
  async #store(trunk: OpenTrunk): Promise<void> {
    if (trunk.isStoring) return;
    trunk.isStoring = true;
    try {
      for (let next = unstored(trunk); next !== null; next = unstored(trunk)) {
        await this.#storeStatus(trunk.account.trunkId, next);
        trunk.stored = next;
      }
    } finally {
      trunk.isStoring = false;
    }
  }

  async #storeStatus(trunkId: number, status: UnstoppedStatus): Promise<void> {
    const { state, statusCode: sipStatus, lastError: reason, expiresAt } = status;
    const { core } = this.#options;
    if (state === 'failed') core.log.warn({ trunkId, sipStatus }, 'A trunk could not be registered');
    await storeRegistration(core, this.#holderId, { trunkId, state, sipStatus, reason, expiresAt });
  }

  /** Unregisters a trunk and gives up its lease. */
  async #leave(trunkId: number): Promise<void> {
    const { core } = this.#options;
    const trunk = this.#open.get(trunkId);
    this.#open.delete(trunkId);
    await trunk?.registration?.stop();
    await releaseRegistration(core, this.#holderId, trunkId).catch((error: unknown) =>
      core.log.warn({ err: error, trunkId }, 'The lease of a registration could not be released'),
    );
  }

  /** Behind a front, the other process has the same Contact: to remove ours would remove its own. */
  async #lose(trunkId: number): Promise<void> {
    const trunk = this.#open.get(trunkId);
    this.#open.delete(trunkId);
    if (this.#options.contactAddress) trunk?.registration?.abandon();
    else await trunk?.registration?.stop();
  }
}

type UnstoppedStatus = RegistrationStatus & { state: Exclude<RegistrationStatus['state'], 'stopped'> };

/** The status that the database does not have yet. */
function unstored({ registration, fault, stored }: OpenTrunk): UnstoppedStatus | null {
  const status = registration?.status ?? fault;
  if (status === null || status === stored || !isUnstopped(status)) return null;
  return status;
}

function isUnstopped(status: RegistrationStatus): status is UnstoppedStatus {
  return status.state !== 'stopped';
}
