/** Erasing a person by their phone number, from an account or from all accounts. */
import { z } from 'zod';
import { written } from './answers.ts';
import { c, metadata } from './contract.ts';
import { bodyErrors, errorBody } from './errors.ts';
import { boolean, requiredText, shape } from './fields.ts';

/** What was removed. It does not contain the number. */
const erasedPerson = z
  .strictObject({
    /** Accounts from which anything was removed; at most 1 without `all_accounts`. */
    accounts: z.int(),
    calls: z.int(),
    recordings: z.int(),
    webhook_deliveries: z.int(),
    leads: z.int(),
    /** Written conversations. */
    conversations: z.int(),
    /** Times at which the number was dialed, which are kept for a week. */
    attempts: z.int(),
    /** Records of consent. */
    consents: z.int(),
    /** Answers that were kept for an `Idempotency-Key`. */
    stored_answers: z.int(),
    import_errors: z.int(),
    jobs: z.int(),
    /** The number is on the list: an entry was kept, without its reason, or made meanwhile. */
    is_on_do_not_call_list: z.boolean(),
  })
  .meta({ id: 'ErasedPerson' });

/** What was removed. */
export type ErasedPerson = z.output<typeof erasedPerson>;

/** The endpoint that erases a person. */
export const people = c.router({
  erase: {
    method: 'POST',
    path: '/api/user/people/erase',
    summary:
      'Erase a person by phone number: calls, recordings, leads, webhooks and what else has the number',
    body: shape({
      phone_number: requiredText({ maximum: 64 }),
      /** True also removes the number from the do-not-call list. */
      remove_from_do_not_call: boolean().default(false),
      /** Operators only: true erases the person from every account of the installation. */
      all_accounts: boolean().default(false),
    }),
    responses: {
      200: written(erasedPerson).meta({ id: 'PersonErased' }),
      ...bodyErrors,
      403: errorBody,
      409: errorBody,
    },
    metadata: metadata({ scope: 'write', isRepeatable: true }),
  },
});
