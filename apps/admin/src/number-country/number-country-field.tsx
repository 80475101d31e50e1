/** The country in which the account's numbers without `+` or `00` are read. A selection is saved at once. */
import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { countryOptions } from './country-options.rules.ts';
import { texts } from './texts.ts';

/** @param onChange - runs when another country has been saved */
export function NumberCountryField({ onChange }: { onChange?: () => void }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refresh = useRefresh();
  const setting = useQuery(trpc.numberCountry.get.queryOptions());
  const options = useMemo(() => countryOptions(setting.data?.countries ?? []), [setting.data?.countries]);
  const change = useMutation({
    mutationFn: async (country: string) => {
      await client.numberCountry.change.mutate({ country: country || null });
      await refresh('numberCountry');
      onChange?.();
    },
  });
  const error = setting.error ?? change.error;
  return (
    <NativeSelect
      label={texts.label}
      description={texts.hint}
      data={options}
      value={(change.isPending ? change.variables : setting.data?.country) ?? ''}
      onChange={(event) => change.mutate(event.currentTarget.value)}
      disabled={!setting.data || change.isPending}
      error={error && readRequestError(error).message}
      data-testid="number-country"
    />
  );
}
