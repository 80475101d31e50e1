import type { CoreContext } from '../context.ts';

export interface DeliveryAttemptInput {
  deliveryId: string;
  /** As handed out by {@link nextDelivery}; a repeated report is ignored. */
  attempt: number;
  at: Date;
  durationMs: number;
  /** The answer, or what kept it from coming. */
  outcome: { status: number; headers: Record<string, string>; body: string } | { error: string };
}

export type DeliveryState = { status: 'delivered' | 'failed' | 'disabled' } | { status: 'pending'; nextAttemptAt: Date };

/** Logs the attempt, keeps the answer on the call, and enqueues the next one where there is one. */
export async function recordDeliveryAttempt(_ctx: CoreContext, _input: DeliveryAttemptInput): Promise<DeliveryState> {
  throw new Error('coming');
}
