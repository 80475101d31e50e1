/** Written conversations of a user, newest first: those after a position of the list, a page, and one with its messages. */
import type {
  WrittenConversationDetails,
  WrittenConversationRecord,
  WrittenConversationSummary,
  WrittenConversationType,
} from '@parley/contracts';
import { Assistant, statement, WrittenConversation, type Tx, type WrittenConversationRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';
import { conversationNotFound, messagesOf } from './own-conversation.ts';
import { conversationDetails, conversationRecord } from './written-conversation-record.ts';

/** The filters of both lists. */
interface ConversationFilters {
  type?: WrittenConversationType | undefined;
  assistantId?: number | undefined;
  status?: WrittenConversationRecord['status'] | undefined;
  /** The whole number, in any common notation. */
  customerPhone?: string | undefined;
  externalIdentifier?: string | undefined;
  /** When the conversation began: `YYYY-MM-DD`, inclusive, in the time zone of the user. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** A position in the list. */
interface Continuation {
  perPage: number;
  /** The number of the last conversation that was read; null: from the newest on. */
  after: readonly [number] | null;
}

/** @returns `next` is null at the end of the list */
export async function listConversations(
  ctx: CoreContext,
  identity: Identity,
  filters: ConversationFilters & Continuation,
): Promise<{ rows: WrittenConversationRecord[]; next: [number] | null }> {
  const { perPage, after } = filters;
  const found = await ctx.db.em.find(
    WrittenConversation,
    { ...(await conditions(ctx, identity, filters)), ...(after && { id: { $lt: after[0] } }) },
    { orderBy: { id: 'desc' }, limit: perPage + 1 },
  );
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  const described = await describe(ctx.db, rows);
  return { rows: described.map(({ record }) => record), next: last ? [last.id] : null };
}

/** @returns one page, counted from 1, newest first, and how many conversations there are on all pages */
export async function pageOfConversations(
  ctx: CoreContext,
  identity: Identity,
  filters: ConversationFilters & { page: number; perPage: number },
): Promise<{ rows: WrittenConversationSummary[]; total: number }> {
  const { page, perPage } = filters;
  const [rows, total] = await ctx.db.em.findAndCount(
    WrittenConversation,
    await conditions(ctx, identity, filters),
    { orderBy: { id: 'desc' }, limit: perPage, offset: (page - 1) * perPage },
  );
  const described = await describe(ctx.db, rows);
  return { rows: described.map(({ record, last }) => ({ ...record, last_message: last })), total };
}

/** SQL, because the database knows the time zones. */
const boundsOfDays = statement<{ from: Date | null; until: Date | null }>(
  'bounds_of_days',
  `select $2::date::timestamp at time zone $1 as from, ($3::date + 1)::timestamp at time zone $1 as until`,
);

async function conditions(ctx: CoreContext, identity: Identity, filters: ConversationFilters) {
  const { type, assistantId, status, customerPhone, externalIdentifier, dateFrom, dateTo } = filters;
  const days = [identity.timezone, dateFrom ?? null, dateTo ?? null];
  const [bounds] =
    dateFrom === undefined && dateTo === undefined ? [] : await ctx.db.query(boundsOfDays, days);
  return {
    userId: identity.userId,
    ...(type !== undefined && { type }),
    ...(assistantId !== undefined && { assistantId }),
    ...(status !== undefined && { endedAt: status === 'open' ? null : { $ne: null } }),
    ...(externalIdentifier !== undefined && { customerIdentifier: externalIdentifier }),
    ...(await phoneFilter(ctx, identity, customerPhone)),
    ...(bounds && {
      createdAt: { ...(bounds.from && { $gte: bounds.from }), ...(bounds.until && { $lt: bounds.until }) },
    }),
  };
}

async function phoneFilter(ctx: CoreContext, identity: Identity, text: string | undefined) {
  if (text === undefined) return {};
  const [number = null] = await readAccountNumbers(ctx.db, identity.userId, [text]);
  return { customerPhoneNumber: number ?? text };
}

/** Characters of a message in the list. */
const MAX_LAST_CHARACTERS = 160;

/** SQL, because the ORM does not count by groups. */
const aboutMessages = statement<{ conversationId: number; count: number; last: string | null }>(
  'about_written_messages',
  `select c.id as conversation_id,
     (select count(*) from written_messages m where m.conversation_id = c.id) as count,
     (select left(m.content, ${MAX_LAST_CHARACTERS}) from written_messages m where m.conversation_id = c.id
      order by m.id desc limit 1) as last
   from unnest($1::bigint[]) as c (id)`,
);

interface Described {
  record: WrittenConversationRecord;
  /** The beginning of the newest message. */
  last: string | null;
}

async function describe(tx: Tx, rows: readonly WrittenConversationRow[]): Promise<Described[]> {
  const names = await namesOf(tx, rows);
  const found = await tx.query(aboutMessages, [rows.map(({ id }) => id)]);
  const messages = new Map(found.map((about) => [about.conversationId, about]));
  return rows.map((row) => {
    const { count = 0, last = null } = messages.get(row.id) ?? {};
    const assistantName = names.get(row.assistantId) ?? '';
    return { record: conversationRecord(row, { assistantName, messageCount: count }), last };
  });
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
