/** The API log over REST. */
import { cursorAnswer, type api } from '@parley/contracts';
import { listApiRequests } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/api-log.ts`. */
export const apiLogHandlers: RestHandlers<typeof api.apiLog> = {
  async list({ core, identity }, { query }) {
    const found = await listApiRequests(core, identity, {
      status: query.status,
      method: query.method,
      operation: query.operation,
      tokenId: query.token_id,
      userId: query.user_id,
      requestId: query.request_id,
      from: query.from === undefined ? undefined : new Date(query.from),
      to: query.to === undefined ? undefined : new Date(query.to),
      perPage: query.per_page,
      after: query.cursor?.after ?? null,
    });
    return { status: 200, body: cursorAnswer(found, query.per_page) };
  },
};
