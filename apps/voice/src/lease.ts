/**
 * The lease of this process: it is renewed every two seconds, and the calls of the process carry its id. A
 * process whose lease cannot be renewed because it was fenced has lost its calls to other processes: it hangs up its legs
 * and registers again under a new id.
 */
import {
  dropVoiceProcess,
  LEASE_RENEWAL_MS,
  registerSuccessor,
  renewLease,
  type CoreContext,
  type PublishedLoad,
  type VoiceFence,
  type RecognitionSupport,
  type TakenCall,
} from '@parley/core';
import { pause, type Service } from '@parley/runtime';

/** Options of a lease. */
export interface LeaseOptions {
  core: CoreContext;
  url: string;
  sipAddress: string;
  capacity: number;
  /** Called at each registration; available once the engines have started. */
  recognition: () => RecognitionSupport;
  /** Published with each renewal, and at each registration. */
  load: () => Required<PublishedLoad>;
  /** Called when the process was fenced, before it registers again: its legs must end. Repeated if it fails. */
  onFenced: (fence: VoiceFence) => Promise<void>;
  /** Called after a registration; `taken`: calls of the process that was registered at this address before. */
  onRegistered: (fence: VoiceFence, taken: readonly TakenCall[]) => void;
}

/** Holds the lease from `start` to `stop`. */
export class VoiceLease implements Service {
  readonly #options: LeaseOptions;
  readonly #stopped = new AbortController();
  #fence: VoiceFence | null = null;
  #renewing: Promise<void> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** The id of this process. @throws Error before the first registration */
  fence(): VoiceFence {
    if (!this.#fence) throw new Error('This voice process is not registered yet');
    return this.#fence;
  }

  /** True when this process holds the lease of that id. */
  isHolder(processId: string): boolean {
    return this.#fence?.processId === processId;
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
    const { core, url, sipAddress, capacity, recognition, load, onRegistered } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        const { admittedCalls } = load();
        const about = { url, sipAddress, capacity, admittedCalls, recognition: recognition() };
        const { fence, taken } = await registerSuccessor(core, about);
        this.#fence = fence;
        core.log.info({ ...fence }, 'This voice process holds its lease');
        return onRegistered(fence, taken);
      } catch (error) {
        core.log.warn({ err: error }, 'The lease could not be acquired yet');
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
    const fence = this.fence();
    if (await renewLease(core, { ...fence, ...load() })) return;
    core.log.error({ ...fence }, 'This voice process was fenced; its calls end and it registers again');
    await onFenced(fence);
    await this.#registerUntilItWorks();
  }
}
