/** What stands for the customer of a written conversation. */
import type { WrittenConversationRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** The phone number, or the identifier, or a word for conversations without both. */
export function customerName({
  type,
  customer_phone: phone,
  external_identifier: identifier,
}: Pick<WrittenConversationRecord, 'type' | 'customer_phone' | 'external_identifier'>): string {
  return phone ?? identifier ?? texts.customers[type];
}
