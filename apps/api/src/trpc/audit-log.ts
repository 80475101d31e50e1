/** The audit log for the admin app. */
import { listAuditLog } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const auditInput = z.object({
  user_id: z.int().optional(),
  operation: z.string().max(64).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

/** `auditLog.*`: own entries for members, all entries for operators. */
export const auditLog = router({
  list: userProcedure.input(auditInput).query(({ ctx, input }) =>
    listAuditLog(ctx.core, ctx.session, {
      userId: input.user_id,
      operation: input.operation,
      from: input.from === undefined ? undefined : new Date(input.from),
      to: input.to === undefined ? undefined : new Date(input.to),
      page: input.page,
      perPage: input.per_page,
    }),
  ),
});
