/**
 * Charges calls by the prices at that moment: at the hang-up for the conversation, later for the evaluation. A stored
 * charge is never computed again.
 */
import { json, statement, type LiveCallRow, type StoredCost, type Tx } from '@parley/db';
import { addDialCost } from '../capacity/dial-usage.ts';
import { secondsBetween } from './call-seconds.rules.ts';
import type { StoredCall } from './lock-call.ts';
import type { CoreContext } from '../context.ts';
import {
  areComplete,
  callCosts,
  sumOf,
  type KnownPrice,
  type UsedLine,
  type UsedProvider,
  type UsedQuantity,
} from '../prices/call-costs.rules.ts';

const selectLine = statement<Omit<UsedLine, 'seconds' | 'bridgedSeconds'> & { bridgedAt: Date | null }>(
  'charged_line',
  `select id as trunk_id, name, is_test,
     (select max(answered_at) from live_calls where bridged_call_id = $2) as bridged_at
   from trunks where id = $1`,
);
const selectProviders = statement<UsedProvider>(
  'charged_providers',
  `select id, name, kind = 'built-in' as is_built_in from providers where id = any($1::bigint[]) order by name`,
);
const selectPrices = statement<KnownPrice>(
  'charged_prices',
  `select trunk_id, provider_id, llm_model_id, voice_id, unit, price from prices
   where trunk_id = $1 or provider_id = any($2::bigint[]) or llm_model_id = any($3::bigint[]) or voice_id = any($4::bigint[])`,
);
const addCosts = statement(
  'add_costs',
  `update calls set carrier_cost = carrier_cost + $3::numeric, total_cost = total_cost + $4::numeric, costs = costs || $5::jsonb
   where id = $1 and created_at = $2`,
);

/** The call to be charged. */
export interface ChargedCall {
  call: Pick<StoredCall, 'id' | 'createdAt' | 'durationSeconds' | 'endedAt' | 'configuration'>;
  /** The live row before the hang-up; null when the call is no longer live: its trunk is unknown and costs nothing. */
  live: Pick<LiveCallRow, 'userId' | 'tokenId' | 'trunkId'> | null;
  /** Absent when the voice process has not reported its usage. */
  used: readonly UsedQuantity[] | undefined;
}

/** Charges the conversation at its end; also for an unanswered call, whose first words may have been synthesised. */
export async function chargeCall(tx: Tx, { call, live, used }: ChargedCall): Promise<void> {
  const trunkId = live?.trunkId ?? null;
  const line = trunkId === null ? undefined : (await tx.query(selectLine, [trunkId, call.id]))[0];
  const known = used ?? unreported(call);
  const providers = await tx.query(selectProviders, [
    idsOf([...askedProviders(call), ...known.map(({ providerId }) => providerId)]),
  ]);
  const seconds = call.durationSeconds;
  const bridgedSeconds = secondsBetween(line?.bridgedAt ?? null, call.endedAt);
  const use = { line: line ? { ...line, seconds, bridgedSeconds } : null, seconds, providers, used: known };
  const costs = callCosts(use, await pricesOf(tx, { trunkId, providers, used: known }));
  await store(tx, call, costs);
  if (live) await addDialCost(tx, live, sumOf(costs));
}

/** Charges the line of a second leg that was answered and is over before its call. */
export async function chargeSecondLeg(
  tx: Tx,
  about: {
    call: ChargedCall['call'];
    live: NonNullable<ChargedCall['live']>;
    answeredAt: Date;
    endedAt: Date;
  },
): Promise<void> {
  const { call, live, answeredAt, endedAt } = about;
  const { trunkId } = live;
  const line = trunkId === null ? undefined : (await tx.query(selectLine, [trunkId, call.id]))[0];
  if (!line) return;
  const used = { ...line, seconds: secondsBetween(answeredAt, endedAt), bridgedSeconds: 0 };
  const prices = await pricesOf(tx, { trunkId, providers: [], used: [] });
  const costs = callCosts({ line: used, seconds: 0, providers: [], used: [] }, prices);
  await store(tx, call, costs);
  await addDialCost(tx, live, sumOf(costs));
}

/** Charges the model that filled in the evaluation. */
export async function chargeEvaluation(
  tx: Tx,
  call: ChargedCall['call'],
  used: readonly UsedQuantity[],
): Promise<void> {
  // The minutes are charged with the conversation.
  await store(tx, call, await costsOf(tx, used));
}

/** The cost of a reply in writing. */
export interface ReplyCost {
  /** The known amounts. */
  total: number;
  isComplete: boolean;
}

/** What a reply in writing costs, by the prices of this moment. */
export async function costOfReply(ctx: CoreContext, used: readonly UsedQuantity[]): Promise<ReplyCost> {
  const costs = await ctx.db.transaction((tx) => costsOf(tx, used));
  return { total: Number(sumOf(costs)), isComplete: areComplete(costs) };
}

async function costsOf(tx: Tx, used: readonly UsedQuantity[]): Promise<StoredCost[]> {
  const providers = await tx.query(selectProviders, [idsOf(used.map(({ providerId }) => providerId))]);
  const prices = await pricesOf(tx, { trunkId: null, providers, used });
  return callCosts({ line: null, seconds: 0, providers, used }, prices);
}

/** A speech-to-speech model uses no other model. */
function askedProviders({ configuration }: ChargedCall['call']): number[] {
  const { assistant, voice, model } = configuration;
  return assistant.mode === 'multimodal' ? [voice.providerId] : [voice.providerId, model.providerId];
}

/** The usage of a process that died is unknown. */
function unreported({ configuration, durationSeconds }: ChargedCall['call']): UsedQuantity[] {
  if (durationSeconds === 0) return [];
  const { assistant, voice, model } = configuration;
  const part = { quantity: null, isEstimated: false };
  const spoken = { ...part, name: voice.name, providerId: voice.providerId, voiceId: voice.id };
  if (assistant.mode === 'multimodal') return [{ ...spoken, stage: 'speech_to_speech', unit: 'input_token' }];
  const thought = { ...part, name: model.name, providerId: model.providerId, llmModelId: model.id };
  return [
    { ...thought, stage: 'model', unit: 'input_token' },
    { ...spoken, stage: 'voice', unit: 'character' },
  ];
}

async function pricesOf(
  tx: Tx,
  about: { trunkId: number | null; providers: readonly UsedProvider[]; used: readonly UsedQuantity[] },
): Promise<KnownPrice[]> {
  return tx.query(selectPrices, [
    about.trunkId,
    about.providers.map(({ id }) => id),
    idsOf(about.used.map(({ llmModelId }) => llmModelId)),
    idsOf(about.used.map(({ voiceId }) => voiceId)),
  ]);
}

async function store(tx: Tx, call: ChargedCall['call'], costs: readonly StoredCost[]): Promise<void> {
  if (costs.length === 0) return;
  await tx.query(addCosts, [call.id, call.createdAt, sumOf(costs, 'carrier'), sumOf(costs), json(costs)]);
}

function idsOf(ids: readonly (number | null | undefined)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))];
}
