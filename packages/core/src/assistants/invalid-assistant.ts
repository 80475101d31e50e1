/** How it is said that an assistant cannot be as it was written. */
import { errorText, fieldFault, wording } from '@parley/contracts';
import { isUniqueViolation } from '@parley/db';
import { DomainError, type FieldMessages } from '../shared/domain-error.ts';

/** @throws DomainError `invalid` when there is any fault */
export function refuseFaults(faults: FieldMessages): void {
  if (Object.keys(faults).length > 0) throw invalidAssistant(faults);
}

/** Two inbound assistants were given the same number at the same time: the index lets one win. */
export function translateNumberTaken(error: unknown): unknown {
  if (!isUniqueViolation(error, 'assistants_inbound_number_unique')) return error;
  return invalidAssistant(fieldFault('phone_number_id', wording.selected), error);
}

function invalidAssistant(fields: FieldMessages, cause?: unknown): DomainError {
  return new DomainError('invalid', errorText.validationFailed, { fields, cause });
}
