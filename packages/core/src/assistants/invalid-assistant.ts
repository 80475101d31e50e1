/** The errors for an assistant that cannot be stored as sent. */
import { errorText, fieldFault, wording } from '@parley/contracts';
import { isUniqueViolation } from '@parley/db';
import { DomainError, type FieldMessages } from '../shared/domain-error.ts';

/** @throws DomainError `invalid` when there is any fault */
export function refuseFaults(faults: FieldMessages): void {
  if (Object.keys(faults).length > 0) throw invalidAssistant(faults);
}

/** Translates the unique index's refusal when two inbound assistants get the same number at the same time. */
export function translateNumberTaken(error: unknown): unknown {
  if (!isUniqueViolation(error, 'assistants_inbound_number_unique')) return error;
  return invalidAssistant(fieldFault('phone_number_id', wording.selected), error);
}

function invalidAssistant(fields: FieldMessages, cause?: unknown): DomainError {
  return new DomainError('invalid', errorText.validationFailed, { fields, cause });
}
