/** All values of the assistant form, in one answer. */
import { listLanguages, listModels, listPhoneNumbers, listVoices } from '@parley/core';
import { router, userProcedure } from './procedures.ts';

/** `lookups.*`. */
export const lookups = router({
  all: userProcedure.query(async ({ ctx }) => {
    const [voices, models, languages, phone_numbers] = await Promise.all([
      listVoices(ctx.core, ctx.session),
      listModels(ctx.core, ctx.session),
      listLanguages(ctx.core, ctx.session),
      listPhoneNumbers(ctx.core, ctx.session),
    ]);
    return { voices, models, languages, phone_numbers };
  }),
});
