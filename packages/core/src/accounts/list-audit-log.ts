/** Lists the audit log: members see their own entries, operators see all. */
import { isoMicroseconds, type AuditRecord } from '@parley/contracts';
import { AuditEntry, User, type AuditEntryRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { startsWith } from './starts-with.ts';

/** The filters and the page. */
export interface AuditFilters {
  /** From 1. */
  page: number;
  perPage: number;
  /** Members find nothing of another user. */
  userId?: number | undefined;
  /** The beginning of the operation's name, for example `assistants`. */
  operation?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** One page, newest first, and the number of entries on all pages. */
export async function listAuditLog(
  ctx: CoreContext,
  identity: Identity,
  filters: AuditFilters,
): Promise<{ rows: AuditRecord[]; total: number }> {
  const { em } = ctx.db;
  const [rows, total] = await em.findAndCount(AuditEntry, conditionOf(identity, filters), {
    orderBy: { id: 'desc' },
    limit: filters.perPage,
    offset: (filters.page - 1) * filters.perPage,
  });
  const ids = new Set(rows.flatMap(({ userId }) => (userId === null ? [] : [userId])));
  const users = await em.find(User, { id: [...ids] });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return { rows: rows.map((row) => auditRecord(row, emails)), total };
}

function conditionOf(identity: Identity, { userId, operation, from, to }: AuditFilters) {
  const own = identity.role === 'operator' ? [] : [{ userId: identity.userId }];
  return {
    $and: userId === undefined ? own : [...own, { userId }],
    ...(operation === undefined ? {} : { operation: startsWith(operation) }),
    ...(from || to ? { at: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } } : {}),
  };
}

function auditRecord(row: AuditEntryRow, emails: ReadonlyMap<number, string>): AuditRecord {
  return {
    id: row.id,
    at: isoMicroseconds(row.at),
    user_id: row.userId,
    user_email: row.userId === null ? null : (emails.get(row.userId) ?? null),
    token_id: row.tokenId,
    channel: row.channel,
    network_address: row.networkAddress,
    operation: row.operation,
    object_id: row.objectId,
    fields: [...row.fields],
    outcome: row.outcome,
  };
}
