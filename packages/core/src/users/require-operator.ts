/** Restricts a use case to operators. */
import { errorText } from '@parley/contracts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from './identity.ts';

/** @throws DomainError `forbidden` for members */
export function requireOperator(identity: Identity): void {
  if (identity.role !== 'operator')
    throw new DomainError('forbidden', errorText.missingRole('operator'), { code: 'missing_role' });
}
