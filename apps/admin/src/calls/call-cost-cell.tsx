/** What a call has cost, in a row of the list: with four decimals, so that the amounts stand below each other. */
import type { ReactNode } from 'react';
import { useAmounts } from '../session/use-amounts.ts';
import { formatAmount } from '../ui/format.rules.ts';

const DECIMALS = 4;

export function CallCostCell({ cost }: { cost: number }): ReactNode {
  return formatAmount(cost, useAmounts().currency, DECIMALS);
}
