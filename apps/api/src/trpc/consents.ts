/** Records of consent for the admin app, in the records of the public API. */
import { list, requiredText, text } from '@parley/contracts';
import { listConsents, recordConsent, removeConsent } from '@parley/core';
import { z } from 'zod';
import { consentRecord } from '../consent-record.ts';
import { router, userProcedure } from './procedures.ts';
import { refusedNumbers } from './refused-numbers.ts';

const MOST_PER_PAGE = 100;
/** What people paste; longer lists come in parts. */
const MOST_AT_ONCE = 1000;

const listInput = z.object({
  /** Any part of it. */
  phone_number: z.string().max(64).optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

const addInput = z.object({
  phone_numbers: list(text({ maximum: 64 }), { maximum: MOST_AT_ONCE }),
  source: requiredText({ maximum: 255 }),
  text: text({ maximum: 2000 }),
});

/** `consents.*`: the user's own. */
export const consents = router({
  list: userProcedure.input(listInput).query(async ({ ctx, input }) => {
    const { rows, total } = await listConsents(ctx.core, ctx.session, {
      page: input.page,
      perPage: input.per_page,
      phoneNumber: input.phone_number,
    });
    return { rows: rows.map(consentRecord), total };
  }),

  /** Records the consent for all valid numbers and returns the invalid ones. The consent is given now. */
  add: userProcedure
    .input(addInput)
    .mutation(async ({ ctx, input: { phone_numbers: numbers, ...about } }) => {
      const refused = await refusedNumbers(numbers, (phoneNumber) =>
        recordConsent(ctx.core, ctx.session, { phoneNumber, ...about }),
      );
      return { added: numbers.length - refused.length, refused };
    }),

  remove: userProcedure
    .input(z.object({ phone_number: requiredText({ maximum: 64 }) }))
    .mutation(async ({ ctx, input }) => {
      await removeConsent(ctx.core, ctx.session, { phoneNumber: input.phone_number });
      return {};
    }),
});
