/** The audit log over REST. */
import { paginate, type api } from '@parley/contracts';
import { listAuditLog } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/audit-log.ts`. */
export const auditLogHandlers: RestHandlers<typeof api.auditLog> = {
  async list({ core, identity, url }, { query }) {
    const page = { page: query.page, perPage: query.per_page };
    const found = await listAuditLog(core, identity, {
      ...page,
      userId: query.user_id,
      operation: query.operation,
      from: query.from === undefined ? undefined : new Date(query.from),
      to: query.to === undefined ? undefined : new Date(query.to),
    });
    return { status: 200, body: paginate({ ...found, ...page, url }) };
  },
};
