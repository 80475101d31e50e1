/**
 * The states of a delivery and the events that change them. `delivery-state.ts` is the only writer. See
 * docs/decisions/webhook-queue.md.
 *
 * - `waiting`: an attempt has failed. Left when the wait is over.
 * - `due`: to be sent. Left by the claim of a worker.
 * - `sending`: claimed by a worker. Left when the attempt is recorded, or when the worker has stopped without doing so.
 * - `delivered`, `failed`, `disabled`: settled. Left only when the owner sends the delivery again.
 *
 * In the table `deliveries` the first three are stages of the status `pending`. A delivery whose webhook is switched off
 * while it is being sent stays `sending`, with a reason that ends it instead of a retry.
 */
import type { DeliveryRow } from '@parley/db';
import type { StateTable } from '../shared/state-table.rules.ts';

/** The status, or its stage while it is `pending`. */
export type DeliveryState = NonNullable<DeliveryRow['stage']> | Exclude<DeliveryRow['status'], 'pending'>;

/** What can happen to a delivery. */
export type DeliveryEvent =
  | 'wait-over'
  | 'claimed'
  /** The worker has stopped without recording the attempt. */
  | 'released'
  | 'accepted'
  /** The attempt failed, and another one follows. */
  | 'postponed'
  | 'attempts-used-up'
  /** The receiver has answered 410, or the webhook was switched off during the attempt. */
  | 'refused'
  | 'switched-off'
  | 'sent-again';

export const DELIVERY_STEPS: StateTable<DeliveryState, DeliveryEvent> = {
  'wait-over': { from: ['waiting'], to: 'due' },
  claimed: { from: ['due'], to: 'sending' },
  released: { from: ['sending'], to: 'due' },
  accepted: { from: ['sending'], to: 'delivered' },
  postponed: { from: ['sending'], to: 'waiting' },
  'attempts-used-up': { from: ['sending'], to: 'failed' },
  refused: { from: ['sending'], to: 'disabled' },
  'switched-off': { from: ['waiting', 'due'], to: 'disabled' },
  'sent-again': { from: ['waiting', 'due', 'delivered', 'failed', 'disabled'], to: 'due' },
};
