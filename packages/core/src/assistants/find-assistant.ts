import type { AssistantRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** @throws DomainError not-found */
export async function findAssistant(_ctx: CoreContext, _identity: Identity, _id: number): Promise<AssistantRecord> {
  throw new Error('coming');
}
