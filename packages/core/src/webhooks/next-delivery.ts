import type { CoreContext } from '../context.ts';

export interface DueDelivery {
  id: string;
  url: string;
  /** The exact text to sign and send. */
  body: string;
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature`, `content-type`, `user-agent`. */
  headers: Record<string, string>;
  /** 1 for the first. */
  attempt: number;
}

/** @returns null when there is nothing (left) to deliver */
export async function nextDelivery(_ctx: CoreContext, _deliveryId: string): Promise<DueDelivery | null> {
  throw new Error('coming');
}
