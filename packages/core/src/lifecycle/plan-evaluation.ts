/**
 * Decides after the hang-up whether the call can be evaluated, and by which voice process. Workers run no models; a voice
 * process evaluates and settles the call (docs/decisions/evaluation-in-voice.md). If it is killed, the sweep settles it.
 */
import { statement, type StoredTurn } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import { findLivingVoiceProcess } from '../capacity/lease.ts';
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { nextCallStatus } from '../calls/call-state.rules.ts';
import { dispositionField } from './disposition.rules.ts';
import { evaluatedFields, unevaluatedBecause, type UnevaluatedReason } from './evaluation.rules.ts';
import { openProviders, type ProviderAccess } from '../calls/load-call-for-voice.ts';

/** What the job has to do now. */
export type EvaluationPlan =
  | { do: 'nothing' }
  | { do: 'complete'; because: UnevaluatedReason }
  /** `url` of a voice process; null while none lives. */
  | { do: 'ask'; url: string | null };

/** All that is needed to evaluate one call. Holds a key: never logged, never stored. */
export interface CallToEvaluate {
  callId: number;
  turns: readonly StoredTurn[];
  assistant: CallConfiguration['assistant'];
  /** The fields of the assistant that are filled in. */
  fields: CallConfiguration['assistant']['postCallSchema'];
  /** Those of the campaign, of which one is chosen. */
  dispositions: readonly string[];
  /** The name of the field for the disposition, which none of `fields` has. */
  dispositionField: string;
  language: CallConfiguration['language'];
  model: ProviderAccess;
}

interface EndedCall {
  status: Parameters<typeof nextCallStatus>[0];
  turns: StoredTurn[];
  configuration: CallConfiguration;
  modelKind: string | null;
}

/** A second voice process is asked when the first has not settled the call by then, milliseconds. */
const LOOK_AGAIN_MS = 20_000;

const selectEnded = statement<EndedCall>(
  'call_to_evaluate',
  `select c.status, c.turns, c.configuration, p.kind as model_kind
   from calls c left join providers p on p.id = (c.configuration->'model'->>'providerId')::bigint
   where c.id = $1`,
);

/** May be asked any number of times; plans to be asked again itself. */
export async function planEvaluation(ctx: CoreContext, callId: number): Promise<EvaluationPlan> {
  const [call] = await ctx.db.query(selectEnded, [callId]);
  if (!call || nextCallStatus(call.status, 'settled') === null) return { do: 'nothing' };
  const { modelKind, turns } = call;
  const because = unevaluatedBecause({ configuration: call.configuration, modelKind, turns });
  if (because !== null) return { do: 'complete', because };
  const runAt = new Date(now(ctx).getTime() + LOOK_AGAIN_MS);
  await ctx.db.transaction((tx) =>
    enqueue(tx, 'evaluate_call', { callId }, { jobKey: `evaluate:${callId}`, runAt }),
  );
  const process = await findLivingVoiceProcess(ctx);
  return { do: 'ask', url: process?.url ?? null };
}

/**
 * @returns null when the call is settled already, or not over
 * @throws DomainError `not-found` when there is no such call, or the model's provider was removed
 */
export async function loadCallToEvaluate(ctx: CoreContext, callId: number): Promise<CallToEvaluate | null> {
  const [call] = await ctx.db.query(selectEnded, [callId]);
  if (!call) throw new DomainError('not-found', 'Call not found');
  if (nextCallStatus(call.status, 'settled') === null) return null;
  const { assistant, language, model, dispositions = [] } = call.configuration;
  const [access] = await openProviders(ctx, [model]);
  if (!access) throw new DomainError('not-found', 'The model of this call was removed.');
  const fields = [...evaluatedFields(call.configuration)];
  const form = { fields, dispositions, dispositionField: dispositionField(fields) };
  return { callId, turns: call.turns, assistant, ...form, language, model: access };
}
