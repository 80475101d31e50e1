import type { AssistantRecord, OutboundAssistantRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** One page, newest first. */
export async function listAssistants(
  _ctx: CoreContext,
  _identity: Identity,
  _page: { page: number; perPage: number },
): Promise<{ rows: AssistantRecord[]; total: number }> {
  throw new Error('coming');
}

export async function listAllAssistants(_ctx: CoreContext, _identity: Identity): Promise<AssistantRecord[]> {
  throw new Error('coming');
}

export async function listOutboundAssistants(_ctx: CoreContext, _identity: Identity): Promise<OutboundAssistantRecord[]> {
  throw new Error('coming');
}
