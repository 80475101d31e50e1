/** The evaluation of an old call by the present settings of its assistant: answer of the public API and of voice. */
import { z } from 'zod';
import { jsonObject } from './fields.ts';

/** Beside the stored evaluation, which stays as it is. */
export const callEvaluation = z
  .strictObject({
    call_id: z.int(),
    /** The answers to the present `post_call_schema`. */
    evaluation: jsonObject,
    /** The evaluation that is stored with the call. */
    stored_evaluation: jsonObject,
    /** Fields that the model did not fill in with a value of their type. */
    missing_fields: z.int(),
    /** Why no model was asked, a code; the values are then those that were collected in the call. */
    unevaluated_because: z.enum(['no_llm', 'nothing_said']).nullable(),
  })
  .meta({ id: 'CallEvaluation' });

/** The evaluation of an old call. */
export type CallEvaluationRecord = z.output<typeof callEvaluation>;
