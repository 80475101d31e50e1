/**
 * The life of this process in the eyes of the others. It holds one lease with an epoch, renewed every two seconds; its
 * calls carry both. Whoever is told that the lease is gone has been given up: its calls were ended by others, so it lets
 * go of them and begins anew under another epoch.
 */
import {
  dropVoiceProcess,
  LEASE_RENEWAL_MS,
  registerVoiceProcess,
  renewLease,
  type CoreContext,
  type VoiceFence,
  type VoiceHearing,
} from '@parley/core';
import { pause, type Service } from '@parley/runtime';

/** What others are told with each renewal. */
interface Load {
  activeCalls: number;
  isDraining: boolean;
}

/** What a lease is made of. */
export interface LeaseOptions {
  core: CoreContext;
  url: string;
  sipAddress: string;
  capacity: number;
  /** Asked at each registration; known once the engines have started. */
  hearing: () => VoiceHearing;
  load: () => Load;
  /** The process was given up by the others: end what it holds. */
  onFenced: () => void;
}

/** Keeps the lease from `start` to `stop`. */
export class VoiceLease implements Service {
  readonly #options: LeaseOptions;
  readonly #stopped = new AbortController();
  #fence: VoiceFence | null = null;
  #renewing: Promise<void> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Who we are to the database. @throws Error before the first registration */
  fence(): VoiceFence {
    if (!this.#fence) throw new Error('This voice process is not registered yet');
    return this.#fence;
  }

  /** True when others may hand calls over under this epoch. */
  isHolder(epoch: number): boolean {
    return this.#fence?.epoch === epoch;
  }

  isRegistered(): boolean {
    return this.#fence !== null;
  }

  /** Waits for the first registration, however long the database takes. */
  async start(): Promise<void> {
    await this.#registerUntilItWorks();
    this.#renewing = this.#renewUntilStopped();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#renewing;
    const fence = this.#fence;
    this.#fence = null;
    if (fence) await dropVoiceProcess(this.#options.core, fence.processId).catch(() => undefined);
  }

  async #registerUntilItWorks(): Promise<void> {
    const { core, url, sipAddress, capacity, hearing } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        const { id, epoch } = await registerVoiceProcess(core, {
          url,
          sipAddress,
          capacity,
          hearing: hearing(),
        });
        this.#fence = { processId: id, epoch };
        core.log.info({ epoch }, 'This voice process holds its lease');
        return;
      } catch (error) {
        core.log.warn({ err: error }, 'The lease could not be taken yet');
        await pause(core.clock, LEASE_RENEWAL_MS, this.#stopped.signal);
      }
    }
  }

  async #renewUntilStopped(): Promise<void> {
    const { core } = this.#options;
    for (;;) {
      await pause(core.clock, LEASE_RENEWAL_MS, this.#stopped.signal);
      if (this.#stopped.signal.aborted) return;
      await this.#renewOnce().catch((error: unknown) =>
        core.log.warn({ err: error }, 'The lease could not be renewed'),
      );
    }
  }

  async #renewOnce(): Promise<void> {
    const { core, load, onFenced } = this.#options;
    const { processId, epoch } = this.fence();
    if (await renewLease(core, { id: processId, epoch, ...load() })) return;
    core.log.error(
      { epoch },
      'This voice process was given up by the others; its calls end and it begins anew',
    );
    onFenced();
    await this.#registerUntilItWorks();
  }
}
