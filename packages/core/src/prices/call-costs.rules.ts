/**
 * The costs of a call by stage, computed in whole millionths, so that sums do not drift; each part is rounded once. A
 * part without a price has an unknown amount, which makes the total unknown.
 *
 * @see docs/decisions/costs.md
 */
import type { PriceUnit, StoredCost, UsageUnit } from '@parley/db';

/** A used quantity of a call, as reported by the process that used it. */
export interface UsedQuantity {
  stage: Exclude<StoredCost['stage'], 'carrier' | 'provider'>;
  /** The name of the model, voice or provider, stored with the amount. */
  name: string;
  /** Null for an engine of this installation. */
  providerId: number | null;
  /** Its price takes precedence over that of its provider. */
  llmModelId?: number | undefined;
  voiceId?: number | undefined;
  unit: UsageUnit;
  /** Null: the quantity is not known. */
  quantity: number | null;
  isEstimated: boolean;
}

/** The trunk, while the call was connected. */
export interface UsedLine {
  trunkId: number;
  name: string;
  /** The trunk leads to the built-in test phones. */
  isTest: boolean;
  seconds: number;
  /** Duration of the second leg of a bridge. */
  bridgedSeconds: number;
}

/** A provider that was used in a call. */
export interface UsedProvider {
  id: number;
  name: string;
  isBuiltIn: boolean;
}

/** A price that may apply. */
export interface KnownPrice {
  trunkId: number | null;
  providerId: number | null;
  llmModelId: number | null;
  voiceId: number | null;
  unit: PriceUnit;
  price: number;
}

/** Everything that determines the costs of a call. */
export interface CallUse {
  line: UsedLine | null;
  /** Duration of the conversation. */
  seconds: number;
  providers: readonly UsedProvider[];
  used: readonly UsedQuantity[];
}

const MINUTE = 60;
const MILLION = 1_000_000;
/** Seconds have decimals: quantities are computed in thousandths. */
const FRACTION = 1000;

/** One entry for each stage with usage, with or without a price. */
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
 * The sum of the known parts, as a decimal text.
 *
 * @param stage - of this stage only
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

/** Cached tokens have the price of other tokens unless they have their own, and never a higher one. */
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

/** Exact for numbers of at most six decimals, as all prices and amounts have. */
function millionths(amount: number): bigint {
  return BigInt(Math.round(amount * MILLION));
}
