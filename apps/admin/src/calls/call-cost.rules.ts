/** Texts for the usage and costs of a call. */
import type { CallCost, CallDetail } from '@parley/contracts';
import { texts } from './texts.ts';

const WITHOUT_AMOUNT: Partial<Record<CallCost['basis'], string>> = {
  per_minute: texts.costs.perMinute,
  built_in: texts.costs.builtIn,
  unknown: texts.costs.unknown,
};

/** One part: its subject, its usage, and its amount or the reason for a missing amount. */
export interface CostRow {
  stage: string;
  name: string;
  quantity: string;
  amount: string;
}

/** Writes an amount in the currency of the installation. */
type Format = (amount: number) => string;

/** A part of a call's costs as a row. */
export function costRow(
  { stage, name, quantity, unit, is_estimated, basis, amount }: CallCost,
  format: Format,
): CostRow {
  const used = quantity === null ? null : texts.costs.units[unit](quantity.toLocaleString('en'));
  return {
    stage: texts.costs.stages[stage],
    name,
    quantity: quantityText(used, is_estimated),
    amount: WITHOUT_AMOUNT[basis] ?? format(amount ?? 0),
  };
}

/** The total, with a plus sign if parts of it are missing. */
export function totalText({ total_cost, are_costs_complete }: CallDetail, format: Format): string {
  const amount = format(total_cost);
  return are_costs_complete ? amount : texts.costs.incomplete(amount);
}

function quantityText(used: string | null, isEstimated: boolean): string {
  if (used === null) return texts.costs.notReported;
  return isEstimated ? texts.costs.estimated(used) : used;
}
