/** The assistants of their owner, newest first. */
import type { AssistantRecord, OutboundAssistantRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantRecord, outboundAssistantRecord } from './assistant-record.ts';
import { readAssistantPage, readAssistants } from './stored-assistant.ts';

/** One page and how many there are on all pages. */
export async function listAssistants(
  ctx: CoreContext,
  identity: Identity,
  page: { page: number; perPage: number },
): Promise<{ rows: AssistantRecord[]; total: number }> {
  const { rows, total } = await readAssistantPage(ctx.db, identity, page);
  return { rows: rows.map((row) => assistantRecord(row)), total };
}

/** All of them. */
export async function listAllAssistants(ctx: CoreContext, identity: Identity): Promise<AssistantRecord[]> {
  const rows = await readAssistants(ctx.db, identity, null);
  return rows.map((row) => assistantRecord(row));
}

/** Those that call out, in the reduced form. */
export async function listOutboundAssistants(
  ctx: CoreContext,
  identity: Identity,
): Promise<OutboundAssistantRecord[]> {
  const rows = await readAssistants(ctx.db, identity, 'outbound');
  return rows.map((row) => outboundAssistantRecord(row));
}
