/**
 * Delivers webhooks: claims due deliveries from the outbox, sends them concurrently, and stores the answers in batches.
 * There is no job per delivery: the outbox is the queue. The dispatcher is woken by Postgres notifications and by a timer
 * for the next retry.
 *
 * Effect of a kill. Before the claim: none. Between the claim and storing the answer: the delivery is due again as soon
 * as another worker sees that the lock of this one is free (pool-liveness.ts, about 1 s), and is sent again with the same
 * id. No delivery is lost; a receiver may get one twice.
 *
 * A delivery occupies its slot from the claim until its answer is stored, so that claims stop while the database is
 * unreachable.
 */
import { randomUUID } from 'node:crypto';
import {
  claimDeliveries,
  findNextRetry,
  recordDeliveryAttempts,
  type CoreContext,
  type DeliveryAttempt,
  type DueDelivery,
} from '@parley/core';
import { BackgroundWork, pause, type Service, type Timer } from '@parley/runtime';
import type { GuardedClient } from '@parley/runtime/guarded-http';
import type { PoolLiveness } from '../pool-liveness.ts';
import { createCoalescedWork } from './coalesced-work.ts';

export interface DispatcherOptions {
  core: CoreContext;
  client: Pick<GuardedClient, 'send'>;
  /** Proves to other workers that this one is alive, under the name of its claims. */
  liveness: Pick<PoolLiveness, 'hold' | 'release'>;
  /** Concurrent requests. */
  concurrency: number;
}

/** At most this share of the slots goes to one receiver, so that one that does not answer leaves slots for others. */
const SHARE_OF_ONE = 1 / 4;
/** At most this many requests go to one receiver, in all workers together. */
const MOST_TO_ONE = 20;
/** Interval of checks without a notification, which may be lost. Milliseconds. */
const LONGEST_WAIT_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 500;
/** Pause between two claims and between two writes, so that many webhooks share one statement under load. */
const REST_MS = 5;
/** Answers stored by one statement. */
const MOST_AT_ONCE = 50;

/** One per process. */
export class Dispatcher implements Service {
  readonly #options: DispatcherOptions;
  readonly #claimer = `webhooks-${randomUUID()}`;
  readonly #perReceiver: number;
  readonly #stopping = new AbortController();
  readonly #background: BackgroundWork;
  readonly #claims = createCoalescedWork(
    () => this.#claimSome(),
    () => this.#rest(),
  );
  readonly #writes = createCoalescedWork(
    () => this.#storeSome(),
    () => this.#rest(),
  );
  readonly #sending = new Set<Promise<void>>();
  readonly #answers: DeliveryAttempt[] = [];
  /** Claimed deliveries whose answers are not stored yet. */
  #underWay = 0;
  #starting: Promise<void> | undefined;
  /** For the next check; set and replaced after each claim, cancelled by `stop`. */
  #timer: Timer | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#background = new BackgroundWork(options.core.log);
    const share = Math.floor(options.concurrency * SHARE_OF_ONE);
    this.#perReceiver = Math.max(1, Math.min(MOST_TO_ONE, share));
  }

  /** Claims what is due. It waits for the liveness lock, without which the claims would look like those of a dead worker. */
  readonly wake = (): void => {
    this.#background.start('claim due webhooks', () => this.#starting?.then(this.#claims.request));
  };

  async start(): Promise<void> {
    const { liveness } = this.#options;
    this.#starting ??= liveness.hold(this.#claimer, this.#stopping.signal).then(this.#claims.request);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.#starting;
    await this.#background.settled();
    await this.#claims.idle();
    await Promise.all(this.#sending);
    await this.#writes.idle();
    this.#options.liveness.release(this.#claimer);
  }

  #rest(): Promise<void> {
    return pause(this.#options.core.clock, REST_MS, this.#stopping.signal);
  }

  async #claimSome(): Promise<void> {
    const { core, concurrency } = this.#options;
    const count = concurrency - this.#underWay;
    if (this.#stopping.signal.aborted || count <= 0) return;
    try {
      const wanted = { claimer: this.#claimer, count, perReceiver: this.#perReceiver };
      const due = await claimDeliveries(core, wanted);
      this.#underWay += due.length;
      for (const delivery of due) this.#sendSoon(delivery);
      this.#checkAgainIn(due.length === count ? LONGEST_WAIT_MS : await this.#untilNextRetry());
    } catch (error) {
      core.log.warn({ err: error }, 'Webhooks could not be claimed; retrying');
      this.#checkAgainIn(PAUSE_AFTER_FAILURE_MS);
    }
  }

  async #untilNextRetry(): Promise<number> {
    const { core } = this.#options;
    const next = await findNextRetry(core);
    const waitMs = next ? next.getTime() - core.clock.now() : LONGEST_WAIT_MS;
    return Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
  }

  #checkAgainIn(waitMs: number): void {
    this.#timer?.cancel();
    if (this.#stopping.signal.aborted) return;
    this.#timer = this.#options.core.clock.after(waitMs, this.#claims.request);
  }

  #sendSoon(delivery: DueDelivery): void {
    const sent = this.#send(delivery).finally(() => this.#sending.delete(sent));
    this.#sending.add(sent);
  }

  async #send(delivery: DueDelivery): Promise<void> {
    const { client, core } = this.#options;
    const at = new Date(core.clock.now());
    const startedMs = core.clock.monotonic();
    const outcome = await client.send(delivery);
    const durationMs = Math.round(core.clock.monotonic() - startedMs);
    this.#answers.push({ delivery, at, durationMs, outcome });
    this.#writes.request();
  }

  async #storeSome(): Promise<void> {
    while (this.#answers.length > 0) {
      const batch = this.#answers.splice(0, MOST_AT_ONCE);
      await this.#store(batch);
      this.#underWay -= batch.length;
      this.#claims.request();
    }
  }

  /** Retries until the process stops. Deliveries whose answers are not stored by then are sent again by another worker. */
  async #store(batch: readonly DeliveryAttempt[]): Promise<void> {
    const { core } = this.#options;
    for (;;) {
      try {
        await recordDeliveryAttempts(core, this.#claimer, batch);
        return;
      } catch (error) {
        core.log.error({ err: error }, 'Answers to webhooks could not be stored; retrying');
        if (this.#stopping.signal.aborted) return;
        await pause(core.clock, PAUSE_AFTER_FAILURE_MS, this.#stopping.signal);
      }
    }
  }
}
