/** The configuration of a new call, if its assistant may make or take one. */
import { errorText } from '@parley/contracts';
import type { Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import { freezeConfiguration, type CallConfiguration, type FreezeAim } from './call-configuration.ts';

/**
 * @throws DomainError `not-found` when the assistant does not exist, is deleted or belongs to another user; `invalid` when it is inactive
 */
export async function freezeCallable(tx: Tx, about: FreezeAim): Promise<CallConfiguration> {
  const configuration = await freezeConfiguration(tx, about);
  if (!configuration) throw new DomainError('not-found', 'Assistant not found');
  if (configuration.assistant.status === 'active') return configuration;
  const fields = { assistant_id: ['The assistant is not active.'] };
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
