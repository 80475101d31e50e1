/** Written conversations of a user: those after a position of the list, newest first, and one with its messages. */
import type {
  WrittenConversationDetails,
  WrittenConversationRecord,
  WrittenConversationType,
} from '@parley/contracts';
import { Assistant, statement, WrittenConversation, type Tx, type WrittenConversationRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';
import { conversationNotFound, messagesOf } from './own-conversation.ts';
import { conversationDetails, conversationRecord } from './written-conversation-record.ts';

/** The filters and the place in the list. */
export interface ConversationFilters {
  type?: WrittenConversationType | undefined;
  assistantId?: number | undefined;
  /** The whole number, in any common notation. */
  customerPhone?: string | undefined;
  externalIdentifier?: string | undefined;
  perPage: number;
  /** The number of the last conversation that was read; null: from the newest on. */
  after: readonly [number] | null;
}

/** SQL, because the ORM does not count by groups. */
const countMessages = statement<{ conversationId: number; count: number }>(
  'count_written_messages',
  `select conversation_id, count(*) as count from written_messages where conversation_id = any($1::bigint[]) group by 1`,
);

/** @returns `next` is null at the end of the list */
export async function listConversations(
  ctx: CoreContext,
  identity: Identity,
  filters: ConversationFilters,
): Promise<{ rows: WrittenConversationRecord[]; next: [number] | null }> {
  const { perPage, after } = filters;
  const found = await ctx.db.em.find(
    WrittenConversation,
    {
      userId: identity.userId,
      ...(filters.type !== undefined && { type: filters.type }),
      ...(filters.assistantId !== undefined && { assistantId: filters.assistantId }),
      ...(filters.externalIdentifier !== undefined && { customerIdentifier: filters.externalIdentifier }),
      ...(await phoneFilter(ctx, identity, filters.customerPhone)),
      ...(after && { id: { $lt: after[0] } }),
    },
    { orderBy: { id: 'desc' }, limit: perPage + 1 },
  );
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  return { rows: await described(ctx.db, rows), next: last ? [last.id] : null };
}

async function phoneFilter(ctx: CoreContext, identity: Identity, text: string | undefined) {
  if (text === undefined) return {};
  const [number = null] = await readAccountNumbers(ctx.db, identity.userId, [text]);
  return { customerPhoneNumber: number ?? text };
}

async function described(
  tx: Tx,
  rows: readonly WrittenConversationRow[],
): Promise<WrittenConversationRecord[]> {
  const names = await namesOf(tx, rows);
  const counts = new Map<number, number>();
  for (const { conversationId, count } of await tx.query(countMessages, [rows.map(({ id }) => id)]))
    counts.set(conversationId, count);
  return rows.map((row) =>
    conversationRecord(row, {
      assistantName: names.get(row.assistantId) ?? '',
      messageCount: counts.get(row.id) ?? 0,
    }),
  );
}

/** Also of deleted assistants. */
async function namesOf(tx: Tx, rows: readonly WrittenConversationRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ assistantId }) => assistantId))];
  const assistants = await tx.em.find(Assistant, { id: ids }, { fields: ['id', 'name'] });
  return new Map(assistants.map(({ id, name }) => [id, name]));
}

/** @throws DomainError `not-found`, also for one of another user */
export async function findConversation(
  ctx: CoreContext,
  { userId }: Identity,
  uuid: string,
): Promise<WrittenConversationDetails> {
  const row = await ctx.db.em.findOne(WrittenConversation, { uuid, userId });
  if (!row) throw conversationNotFound();
  const names = await namesOf(ctx.db, [row]);
  const messages = await messagesOf(ctx.db, row.id);
  return conversationDetails(row, { assistantName: names.get(row.assistantId) ?? '', messages });
}
