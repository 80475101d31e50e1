/** How a file as a whole is refused; rows before the fault that were imported already stay. */
import { errorText } from '@parley/contracts';
import { DomainError } from '../shared/domain-error.ts';

/** @param field - `file`, or the option that does not fit it */
export function invalidFile(text: string, field: 'file' | 'mapping' = 'file'): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { [field]: [text] } });
}
