/** Loads an old call with the present settings of its assistant, for an evaluation that changes nothing. */
import { statement, type CallRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { callPhase } from '../calls/call-state.rules.ts';
import { openProviders } from '../calls/load-call-for-voice.ts';
import { dispositionField } from './disposition.rules.ts';
import { collectedEvaluation, unevaluatedBecause, type Evaluation } from './evaluation.rules.ts';
import type { CallToEvaluate } from './plan-evaluation.ts';

/** What is evaluated again. Holds a key: never logged, never stored. */
export interface CallToReevaluate extends CallToEvaluate {
  /** The evaluation of the call. */
  stored: Record<string, unknown>;
  /** The values that were collected in the call, in the fields of the present schema. */
  collected: Evaluation;
  /** Why no model can be asked; null: it can. */
  unevaluatedBecause: 'no_llm' | 'nothing_said' | null;
}

type Selected = Pick<CallRow, 'status' | 'turns' | 'variables' | 'evaluation' | 'assistantId'>;

const selectOld = statement<Selected>(
  'call_to_reevaluate',
  `select status, turns, variables, evaluation, assistant_id from calls where id = $1 and user_id = $2`,
);

const NO_SCHEMA = 'The assistant of this call has no post_call_schema.';

/**
 * @throws DomainError `not-found`, also for another user's call and a deleted assistant; `conflict` until the call is settled, and
 * for an assistant without a schema
 */
export async function loadCallToReevaluate(
  ctx: CoreContext,
  { userId, callId }: { userId: number; callId: number },
): Promise<CallToReevaluate> {
  const [call] = await ctx.db.query(selectOld, [callId, userId]);
  if (!call) throw new DomainError('not-found', 'Call not found');
  if (callPhase(call.status) !== 'final') throw new DomainError('conflict', 'The call is not over.');
  const configuration = await freezeConfiguration(ctx.db, { userId, assistantId: call.assistantId });
  if (!configuration) throw new DomainError('not-found', 'Assistant not found');
  const { language, model } = configuration;
  const assistant = { ...configuration.assistant, isPostCallEvaluated: true };
  if (assistant.postCallSchema.length === 0) throw new DomainError('conflict', NO_SCHEMA);
  const [access] = await openProviders(ctx, [model]);
  const because = unevaluatedBecause({
    configuration: { assistant },
    modelKind: access.kind,
    turns: call.turns,
  });
  return {
    callId,
    turns: call.turns,
    assistant,
    fields: assistant.postCallSchema,
    dispositions: [],
    dispositionField: dispositionField(assistant.postCallSchema),
    language,
    model: access,
    stored: call.evaluation,
    collected: collectedEvaluation(assistant.postCallSchema, call.variables),
    unevaluatedBecause: because === 'no_llm' || because === 'nothing_said' ? because : null,
  };
}
