/** Lists the API log: members see the requests of their own tokens, operators those of all users. */
import { isoMicroseconds, type ApiRequestRecord, type StatusClass } from '@parley/contracts';
import { ApiRequest, ApiToken, User, type ApiRequestRow } from '@parley/db';
import { z } from 'zod';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { startsWith } from './starts-with.ts';

/** The filters and the place in the list. */
export interface ApiRequestFilters {
  status?: StatusClass | undefined;
  method?: string | undefined;
  /** The beginning of the operation's name, or of the path. */
  operation?: string | undefined;
  tokenId?: number | undefined;
  /** Members find nothing of another user. */
  userId?: number | undefined;
  /** What is no id finds nothing. */
  requestId?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  perPage: number;
  /** The number of the last entry that was read; null: from the newest on. */
  after: readonly [number] | null;
}

/** @returns `next` is null at the end of the list */
export async function listApiRequests(
  ctx: CoreContext,
  identity: Identity,
  filters: ApiRequestFilters,
): Promise<{ rows: ApiRequestRecord[]; next: [number] | null }> {
  const { perPage, requestId } = filters;
  if (requestId !== undefined && !z.uuid().safeParse(requestId).success) return { rows: [], next: null };
  const found = await ctx.db.em.find(ApiRequest, conditionOf(identity, filters), {
    orderBy: { id: 'desc' },
    limit: perPage + 1,
  });
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  return { rows: await described(ctx, rows), next: last ? [last.id] : null };
}

function conditionOf(identity: Identity, filters: ApiRequestFilters) {
  const { status, method, operation, tokenId, userId, requestId, from, to, after } = filters;
  const lowest = Number(status?.[0]) * 100;
  return {
    $and: [
      ...(identity.role === 'operator' ? [] : [{ userId: identity.userId }]),
      ...(userId === undefined ? [] : [{ userId }]),
      ...(status === undefined ? [] : [{ status: { $gte: lowest, $lt: lowest + 100 } }]),
      ...(method === undefined ? [] : [{ method }]),
      ...(operation === undefined
        ? []
        : [{ $or: [{ operation: startsWith(operation) }, { path: startsWith(operation) }] }]),
      ...(tokenId === undefined ? [] : [{ tokenId }]),
      ...(requestId === undefined ? [] : [{ requestId }]),
      ...(from ? [{ at: { $gte: from } }] : []),
      ...(to ? [{ at: { $lt: to } }] : []),
      ...(after ? [{ id: { $lt: after[0] } }] : []),
    ],
  };
}

async function described({ db }: CoreContext, rows: readonly ApiRequestRow[]): Promise<ApiRequestRecord[]> {
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  const users = await db.em.find(User, { id: userIds }, { fields: ['id', 'email'] });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const tokenIds = [...new Set(rows.map(({ tokenId }) => tokenId))];
  const tokens = await db.em.find(ApiToken, { id: tokenIds }, { fields: ['id', 'name'] });
  const names = new Map(tokens.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    at: isoMicroseconds(row.at),
    user_id: row.userId,
    user_email: emails.get(row.userId) ?? null,
    token_id: row.tokenId,
    token_name: names.get(row.tokenId) ?? null,
    method: row.method,
    path: row.path,
    operation: row.operation,
    object_id: row.objectId,
    status: row.status,
    code: row.code,
    duration_ms: row.durationMs,
    is_complete: row.isComplete,
    request_id: row.requestId,
    network_address: row.networkAddress,
    count: row.count,
  }));
}
