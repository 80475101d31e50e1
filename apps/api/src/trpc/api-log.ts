/** The API log for the admin app. */
import { apiMethods, statusClasses } from '@parley/contracts';
import { listApiRequests } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const apiLogInput = z.object({
  status: z.enum(statusClasses).optional(),
  method: z.enum(apiMethods).optional(),
  operation: z.string().max(64).optional(),
  token_id: z.int().optional(),
  /** Any text: what is no id finds nothing. */
  request_id: z.string().max(64).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
  /** The number of an entry: the list begins with the next older one. */
  before: z.int().positive().optional(),
});

/** `apiLog.*`: requests of own tokens for members, of all tokens for operators. */
export const apiLog = router({
  list: userProcedure.input(apiLogInput).query(async ({ ctx, input }) => {
    const { rows, next } = await listApiRequests(ctx.core, ctx.session, {
      status: input.status,
      method: input.method,
      operation: input.operation,
      tokenId: input.token_id,
      requestId: input.request_id,
      from: input.from === undefined ? undefined : new Date(input.from),
      to: input.to === undefined ? undefined : new Date(input.to),
      perPage: input.per_page,
      after: input.before === undefined ? null : [input.before],
    });
    return { rows, next: next?.[0] ?? null };
  }),
});
