import type { AssistantRecord, NewAssistant } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** @throws DomainError invalid, with messages per field, for references that lead nowhere */
export async function createAssistant(_ctx: CoreContext, _identity: Identity, _input: NewAssistant): Promise<AssistantRecord> {
  throw new Error('coming');
}
