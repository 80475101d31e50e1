/** Writes amounts in the currency of the installation. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';
import { formatAmount } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

/** An operator may change the currency while other pages are open, milliseconds. */
const STALE_MS = 60_000;

/** How amounts are written. */
export interface Amounts {
  /** ISO 4217; null while it is not loaded, and where the operator has set none. */
  currency: string | null;
  /** The operator has set none. */
  isWithoutCurrency: boolean;
  format: (amount: number) => string;
  /** The label of a field for an amount, with the currency. */
  label: (label: string) => string;
}

/** The page of prices renews the currency when it changes it. */
export function useAmounts(): Amounts {
  const { data } = useQuery({ ...useTRPC().prices.currency.queryOptions(), staleTime: STALE_MS });
  const currency = data ?? null;
  return {
    currency,
    isWithoutCurrency: data === null,
    format: (amount) => formatAmount(amount, currency),
    label: (label) => (currency === null ? label : texts.inCurrency(label, currency)),
  };
}
