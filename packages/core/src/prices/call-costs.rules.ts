/**
 * What a call cost, part by part. Reckoned in whole millionths, so that no sum drifts; each part is rounded once. What has
 * no price is not free: its amount is not known, and neither is the whole.
 *
 * @see docs/decisions/costs.md
 */
import type { PriceUnit, StoredCost, UsageUnit } from '@parley/db';

/** A used quantity of a call, as reported by the process that used it. */
export interface UsedQuantity {
  stage: Exclude<StoredCost['stage'], 'carrier' | 'provider'>;
  /** Of the model, voice or provider; kept with the amount. */
  name: string;
  /** Null: it ran in this installation. */
  providerId: number | null;
  /** Whose price it has before that of its provider. */
  llmModelId?: number | undefined;
  voiceId?: number | undefined;
  unit: UsageUnit;
  /** Null: an unknown quantity was used. */
  quantity: number | null;
  isEstimated: boolean;
}

/** The line, while it was up. */
export interface UsedLine {
  trunkId: number;
  name: string;
  /** It leads to the built-in phones. */
  isTest: boolean;
  seconds: number;
  /** Its second leg, while the caller was put through over us. */
  bridgedSeconds: number;
}

/** A provider that took part in a call. */
export interface UsedProvider {
  id: number;
  name: string;
  isBuiltIn: boolean;
}

/** One price that may matter. */
export interface KnownPrice {
  trunkId: number | null;
  providerId: number | null;
  llmModelId: number | null;
  voiceId: number | null;
  unit: PriceUnit;
  price: number;
}

/** All that a call is charged by. */
export interface CallUse {
  line: UsedLine | null;
  /** Of conversation. */
  seconds: number;
  providers: readonly UsedProvider[];
  used: readonly UsedQuantity[];
}

const MINUTE = 60;
const MILLION = 1_000_000;
/** Seconds have decimals: quantities are reckoned in thousandths. */
const FRACTION = 1000;

/** The parts in which something was used, priced or not. */
export function callCosts(use: CallUse, prices: readonly KnownPrice[]): StoredCost[] {
  const { line, seconds, providers, used } = use;
  const parts = [
    ...(line ? [lineCost(line, prices), lineCost({ ...line, seconds: line.bridgedSeconds }, prices)] : []),
    ...providers.map((provider) => minuteCost(provider, seconds, prices)),
    ...used.map((quantity) => usedCost(quantity, providers, prices)),
  ];
  return parts.filter((part) => part !== null && part.quantity !== 0) as StoredCost[];
}

/**
 * What parts add up to, as a decimal text; those that are not known are left out.
 *
 * @param stage - of one stage alone
 */
export function sumOf(costs: readonly StoredCost[], stage?: StoredCost['stage']): string {
  const counted = stage === undefined ? costs : costs.filter((cost) => cost.stage === stage);
  const micros = counted.reduce((sum, { amount }) => sum + millionths(amount ?? 0), 0n);
  const digits = micros.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Whether every part has an amount. */
export function areComplete(costs: readonly StoredCost[]): boolean {
  return costs.every(({ amount }) => amount !== null);
}

function lineCost({ trunkId, name, isTest, seconds }: UsedLine, prices: readonly KnownPrice[]): StoredCost {
  const price = prices.find((one) => one.trunkId === trunkId && one.unit === 'minute')?.price;
  const part = { stage: 'carrier' as const, name, unit: 'second' as const, isEstimated: false };
  return charge({ ...part, quantity: seconds, pricePer: MINUTE }, price ?? (isTest ? 'built_in' : 'unknown'));
}

function minuteCost(
  { id, name }: UsedProvider,
  seconds: number,
  prices: readonly KnownPrice[],
): StoredCost | null {
  const price = ofProvider(prices, id, 'minute');
  if (price === undefined) return null;
  const part = { stage: 'provider' as const, name, unit: 'second' as const, isEstimated: false };
  return charge({ ...part, quantity: seconds, pricePer: MINUTE }, price);
}

function usedCost(
  used: UsedQuantity,
  providers: readonly UsedProvider[],
  prices: readonly KnownPrice[],
): StoredCost {
  const { stage, name, unit, quantity, isEstimated } = used;
  const pricePer = unit === 'second' ? MINUTE : MILLION;
  return charge(
    { stage, name, unit, quantity, isEstimated, pricePer },
    priceOf(used, prices) ?? unpriced(used, providers, prices),
  );
}

/** Tokens from a cache cost no more than others; without a price of their own they cost the same. */
function priceOf(used: UsedQuantity, prices: readonly KnownPrice[]): number | undefined {
  const { unit } = used;
  const exact = priceOfUnit(used, unit, prices);
  return unit === 'cached_input_token' ? (exact ?? priceOfUnit(used, 'input_token', prices)) : exact;
}

function priceOfUnit(
  { llmModelId, voiceId, providerId }: UsedQuantity,
  unit: UsageUnit,
  prices: readonly KnownPrice[],
): number | undefined {
  const own = prices.find(
    (one) =>
      one.unit === unit &&
      ((llmModelId !== undefined && one.llmModelId === llmModelId) ||
        (voiceId !== undefined && one.voiceId === voiceId)),
  );
  return own?.price ?? ofProvider(prices, providerId, unit);
}

function ofProvider(
  prices: readonly KnownPrice[],
  providerId: number | null,
  unit: PriceUnit,
): number | undefined {
  if (providerId === null) return undefined;
  return prices.find((one) => one.providerId === providerId && one.unit === unit)?.price;
}

type Unpriced = Exclude<StoredCost['basis'], 'listed'>;

function unpriced(
  { providerId }: UsedQuantity,
  providers: readonly UsedProvider[],
  prices: readonly KnownPrice[],
): Unpriced {
  const isBuiltIn =
    providerId === null || providers.some(({ id, isBuiltIn }) => id === providerId && isBuiltIn);
  if (isBuiltIn) return 'built_in';
  return ofProvider(prices, providerId, 'minute') === undefined ? 'unknown' : 'per_minute';
}

function charge(part: Omit<StoredCost, 'basis' | 'price' | 'amount'>, price: number | Unpriced): StoredCost {
  if (typeof price !== 'number')
    return { ...part, basis: price, price: null, amount: price === 'unknown' ? null : 0 };
  if (part.quantity === null) return { ...part, basis: 'unknown', price, amount: null };
  const divisor = BigInt(part.pricePer * FRACTION);
  const exact = millionths(price) * BigInt(Math.round(part.quantity * FRACTION));
  const rounded = (exact + divisor / 2n) / divisor;
  return { ...part, basis: 'listed', price, amount: Number(rounded) / MILLION };
}

/** Exact for numbers of at most six decimals, which all prices and amounts are. */
function millionths(amount: number): bigint {
  return BigInt(Math.round(amount * MILLION));
}
