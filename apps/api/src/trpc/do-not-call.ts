/** The do-not-call list for the admin app, in the records of the public API. */
import { list, nullable, requiredText, text } from '@parley/contracts';
import { addToDoNotCallList, listDoNotCall, removeFromDoNotCallList } from '@parley/core';
import { z } from 'zod';
import { doNotCallRecord } from '../do-not-call-record.ts';
import { router, userProcedure } from './procedures.ts';
import { refusedNumbers } from './refused-numbers.ts';

const MOST_PER_PAGE = 100;
/** What people paste; longer lists come in parts. */
const MOST_AT_ONCE = 1000;

const number = requiredText({ maximum: 64 });

const listInput = z.object({
  /** Any part of it. */
  phone_number: z.string().max(64).optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

const addInput = z.object({
  phone_numbers: list(text({ maximum: 64 }), { maximum: MOST_AT_ONCE }),
  reason: nullable(text({ maximum: 255 })).optional(),
});

/** `doNotCall.*`: the user's own. */
export const doNotCall = router({
  list: userProcedure.input(listInput).query(async ({ ctx, input }) => {
    const { rows, total } = await listDoNotCall(ctx.core, ctx.session, {
      page: input.page,
      perPage: input.per_page,
      phoneNumber: input.phone_number,
    });
    return { rows: rows.map(doNotCallRecord), total };
  }),

  /** Adds all valid numbers and returns the invalid ones. Adding a number twice has no effect. */
  add: userProcedure.input(addInput).mutation(async ({ ctx, input }) => {
    const refused = await refusedNumbers(input.phone_numbers, (phoneNumber) =>
      addToDoNotCallList(ctx.core, ctx.session, { phoneNumber, reason: input.reason ?? '' }),
    );
    return { added: input.phone_numbers.length - refused.length, refused };
  }),

  remove: userProcedure.input(z.object({ phone_number: number })).mutation(async ({ ctx, input }) => {
    await removeFromDoNotCallList(ctx.core, ctx.session, { phoneNumber: input.phone_number });
    return {};
  }),
});
