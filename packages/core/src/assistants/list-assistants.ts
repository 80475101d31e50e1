/** The assistants of their owner, newest first. */
import type { AssistantRecord, OutboundAssistantRecord } from '@parley/contracts';
import { Assistant } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { outboundAssistantRecord } from './assistant-record.ts';
import { describeAssistants, ownAssistants } from './own-assistant.ts';

const NEWEST_FIRST = { orderBy: { id: 'desc' } } as const;

interface AssistantPage {
  page: number;
  perPage: number;
  /** Absent: both. */
  type?: AssistantRecord['type'] | undefined;
}

/** One page, and the number of assistants on all pages. */
export async function listAssistants(
  ctx: CoreContext,
  identity: Identity,
  { page, perPage, type }: AssistantPage,
): Promise<{ rows: AssistantRecord[]; total: number }> {
  const range = { ...NEWEST_FIRST, limit: perPage, offset: (page - 1) * perPage };
  const where = { ...ownAssistants(identity), ...(type && { type }) };
  const [rows, total] = await ctx.db.em.findAndCount(Assistant, where, range);
  return { rows: await describeAssistants(ctx.db, rows), total };
}

/** All of them. */
export async function listAllAssistants(ctx: CoreContext, identity: Identity): Promise<AssistantRecord[]> {
  const rows = await ctx.db.em.find(Assistant, ownAssistants(identity), NEWEST_FIRST);
  return describeAssistants(ctx.db, rows);
}

/** The outbound ones, in the reduced form. */
export async function listOutboundAssistants(
  ctx: CoreContext,
  identity: Identity,
): Promise<OutboundAssistantRecord[]> {
  const outbound = { ...ownAssistants(identity), type: 'outbound' } as const;
  const rows = await ctx.db.em.find(Assistant, outbound, NEWEST_FIRST);
  return rows.map(outboundAssistantRecord);
}
