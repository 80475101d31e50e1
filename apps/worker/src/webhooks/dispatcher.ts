/**
 * Delivers webhooks: claims what is due from the outbox, sends many at once, writes the answers down in batches. There is
 * no job for a delivery: the outbox is the queue, a notice of Postgres the wake-up, and a timer for the next retry.
 *
 * What a kill does. Before the claim: nothing. Between claim and answer: the delivery is due again as soon as another
 * worker sees that this one's lock is free (pool-liveness.ts, about 1 s), and is sent a second time under the same id.
 * After the answer, before it was written: the same. Nothing is lost; a receiver may hear twice.
 *
 * A delivery takes its place from the claim until its answer is written, so that a database that is away stops the claims
 * as well.
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
import { createAskedWork } from './asked-work.ts';

export interface DispatcherOptions {
  core: CoreContext;
  client: Pick<GuardedClient, 'send'>;
  /** Shows others that this worker lives, under the name of its claims. */
  liveness: Pick<PoolLiveness, 'hold' | 'letGo'>;
  /** Webhooks on their way at once. */
  concurrency: number;
}

/** Of all places at most this share goes to one receiver, so that one that hangs leaves room for others. */
const SHARE_OF_ONE = 1 / 4;
/** And at most so many, in all workers together. */
const MOST_TO_ONE = 20;
/** Notices may be lost, and another worker may have died; so often it looks unasked. Milliseconds. */
const LONGEST_WAIT_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 500;
/** Between two claims, and between two writes: with hundreds of webhooks a second many share one statement. */
const REST_MS = 5;
/** Answers written in one statement. */
const MOST_AT_ONCE = 50;

/** One per process. */
export class Dispatcher implements Service {
  readonly #options: DispatcherOptions;
  readonly #claimer = `webhooks-${randomUUID()}`;
  readonly #perReceiver: number;
  readonly #stopping = new AbortController();
  readonly #background: BackgroundWork;
  readonly #claims = createAskedWork(
    () => this.#claimSome(),
    () => this.#rest(),
  );
  readonly #writes = createAskedWork(
    () => this.#writeSome(),
    () => this.#rest(),
  );
  readonly #sending = new Set<Promise<void>>();
  readonly #answers: DeliveryAttempt[] = [];
  /** Claimed and not yet written down. */
  #underWay = 0;
  #starting: Promise<void> | undefined;
  /** Set after every look, for the next one; replaced there and ended by `stop`. */
  #timer: Timer | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#background = new BackgroundWork(options.core.log);
    const share = Math.floor(options.concurrency * SHARE_OF_ONE);
    this.#perReceiver = Math.max(1, Math.min(MOST_TO_ONE, share));
  }

  /** Something may be due. Before others can see that this worker lives its claims would look like those of a dead one. */
  readonly wake = (): void => {
    this.#background.start('claim due webhooks', () => this.#starting?.then(this.#claims.ask));
  };

  async start(): Promise<void> {
    const { liveness } = this.#options;
    this.#starting ??= liveness.hold(this.#claimer, this.#stopping.signal).then(this.#claims.ask);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.#starting;
    await this.#background.settled();
    await this.#claims.idle();
    await Promise.all(this.#sending);
    await this.#writes.idle();
    this.#options.liveness.letGo(this.#claimer);
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
      this.#lookAgainIn(due.length === count ? LONGEST_WAIT_MS : await this.#untilNextRetry());
    } catch (error) {
      core.log.warn({ err: error }, 'Webhooks cannot be claimed; trying again');
      this.#lookAgainIn(PAUSE_AFTER_FAILURE_MS);
    }
  }

  async #untilNextRetry(): Promise<number> {
    const { core } = this.#options;
    const next = await findNextRetry(core);
    const waitMs = next ? next.getTime() - core.clock.now() : LONGEST_WAIT_MS;
    return Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
  }

  #lookAgainIn(waitMs: number): void {
    this.#timer?.cancel();
    if (this.#stopping.signal.aborted) return;
    this.#timer = this.#options.core.clock.after(waitMs, this.#claims.ask);
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
    this.#writes.ask();
  }

  async #writeSome(): Promise<void> {
    while (this.#answers.length > 0) {
      const batch = this.#answers.splice(0, MOST_AT_ONCE);
      await this.#writeDown(batch);
      this.#underWay -= batch.length;
      this.#claims.ask();
    }
  }

  /** Tries as long as the process lives; what is not written when it ends is sent again by another. */
  async #writeDown(batch: readonly DeliveryAttempt[]): Promise<void> {
    const { core } = this.#options;
    for (;;) {
      try {
        await recordDeliveryAttempts(core, this.#claimer, batch);
        return;
      } catch (error) {
        core.log.error({ err: error }, 'Answers to webhooks cannot be written down; trying again');
        if (this.#stopping.signal.aborted) return;
        await pause(core.clock, PAUSE_AFTER_FAILURE_MS, this.#stopping.signal);
      }
    }
  }
}
