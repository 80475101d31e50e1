/** The assistants of their owner, newest first. */
import type { AssistantRecord, OutboundAssistantRecord } from '@parley/contracts';
import { Assistant, Language, type AssistantRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantRecord, outboundAssistantRecord } from './assistant-record.ts';

type EntityManager = ReturnType<CoreContext['db']['orm']>;

/** One page and how many there are on all pages. */
export async function listAssistants(
  ctx: CoreContext,
  identity: Identity,
  page: { page: number; perPage: number },
): Promise<{ rows: AssistantRecord[]; total: number }> {
  const em = ctx.db.orm();
  const window = { limit: page.perPage, offset: (page.page - 1) * page.perPage };
  const [rows, total] = await em.findAndCount(Assistant, owned(identity), {
    orderBy: { id: 'desc' },
    ...window,
  });
  return { rows: await toRecords(em, rows), total };
}

/** All of them. */
export async function listAllAssistants(ctx: CoreContext, identity: Identity): Promise<AssistantRecord[]> {
  const em = ctx.db.orm();
  return toRecords(em, await em.find(Assistant, owned(identity), { orderBy: { id: 'desc' } }));
}

/** Those that call out, in the reduced form. */
export async function listOutboundAssistants(
  ctx: CoreContext,
  identity: Identity,
): Promise<OutboundAssistantRecord[]> {
  const where = { ...owned(identity), type: 'outbound' as const };
  const rows = await ctx.db.orm().find(Assistant, where, { orderBy: { id: 'desc' } });
  return rows.map((row) => outboundAssistantRecord(row));
}

function owned(identity: Identity) {
  return { userId: identity.userId, deletedAt: null };
}

async function toRecords(em: EntityManager, rows: readonly AssistantRow[]): Promise<AssistantRecord[]> {
  const languages = await em.find(Language, { id: rows.map((row) => row.languageId) });
  const names = new Map(languages.map((language) => [language.id, language.name]));
  return rows.map((row) => assistantRecord(row, names.get(row.languageId) ?? null));
}
