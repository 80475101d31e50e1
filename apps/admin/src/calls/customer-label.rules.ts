/** What stands for the customer of a call. */
import type { CallRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** The number; a word for a call in the browser, and for a number that was withheld or removed. */
export function customerLabel(call: Pick<CallRecord, 'type' | 'client_phone_number'>): string {
  if (call.type === 'web') return texts.table.browser;
  return call.client_phone_number || texts.table.unknown;
}
