/** Hints for the types of phone numbers, and the assistants to which a number can be assigned. */
import type { AssistantRecord, OwnNumberRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** What a number of this type can do. */
export function labelHint(label: OwnNumberRecord['type_label']): string {
  if (label === 'Caller ID') return texts.numberTypes.callerId;
  return texts.numberTypes.answered;
}

/** The hint for a type of number. */
export function assignable(
  number: Pick<OwnNumberRecord, 'assistants' | 'is_available'>,
  assistants: readonly AssistantRecord[],
): AssistantRecord[] {
  const has = new Set(number.assistants.map(({ id }) => id));
  return assistants.filter(({ id, type }) => !has.has(id) && (type === 'outbound' || number.is_available));
}
