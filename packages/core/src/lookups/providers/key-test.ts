/** A key is tested when it is saved, so that the operator can correct it at once. */
import { errorText, fieldFault } from '@parley/contracts';
import type { CoreContext } from '../../context.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { checkKey, type ProviderCredentials } from './ask-provider.ts';

/**
 * @returns a note for the account when the provider could not say; null when the key is right
 * @throws DomainError `invalid`, at the key, when the provider refuses it
 */
export async function testKey(ctx: CoreContext, credentials: ProviderCredentials): Promise<string | null> {
  const verdict = await checkKey(ctx, credentials);
  if (verdict.state === 'right') return null;
  if (verdict.state === 'unknown') return `The key is not tested: ${verdict.reason}.`;
  const fields = fieldFault('api_key', `The provider refuses this key. ${verdict.reason}.`);
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
