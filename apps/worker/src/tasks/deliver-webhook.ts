/** Sends one webhook and writes down what came of it; core decides whether and when there is another try. */
import { nextDelivery, recordDeliveryAttempt } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function deliverWebhook(
  worker: WorkerContext,
  { deliveryId }: { deliveryId: string },
): Promise<void> {
  const { core, webhooks } = worker;
  const delivery = await nextDelivery(core, deliveryId);
  if (!delivery) return;
  const at = new Date(core.clock.now());
  const startedMs = core.clock.monotonic();
  const outcome = await webhooks.send(delivery);
  const durationMs = Math.round(core.clock.monotonic() - startedMs);
  const state = await recordDeliveryAttempt(core, {
    deliveryId,
    attempt: delivery.attempt,
    at,
    durationMs,
    outcome,
  });
  core.log.info(
    { deliveryId, attempt: delivery.attempt, durationMs, state: state.status },
    'A webhook was sent',
  );
}
