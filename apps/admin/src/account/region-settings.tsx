/** The time zone of the account, and the country of its national numbers. A selection is saved at once. */
import { NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import { useAccountZone } from '../session/use-account-zone.ts';
import { timeZones } from '../ui/time-zones.ts';
import { texts } from './texts.ts';

function TimeZoneField(): ReactNode {
  const queryClient = useQueryClient();
  const zone = useAccountZone();
  const change = useMutation(
    useTRPC().account.changeTimeZone.mutationOptions({
      // Times and days of all pages are in it.
      onSettled: () => queryClient.invalidateQueries(),
    }),
  );
  const shown = change.isPending ? change.variables.timezone : zone;
  return (
    <NativeSelect
      label={texts.region.timeZone}
      description={texts.region.timeZoneHint}
      data={timeZones(shown)}
      value={shown}
      onChange={(event) => change.mutate({ timezone: event.currentTarget.value })}
      disabled={change.isPending}
      error={change.error && readRequestError(change.error).message}
      data-testid="account-time-zone"
    />
  );
}

/** Two fields. */
export function RegionSettings(): ReactNode {
  return (
    <Stack gap="md" maw={420}>
      <TimeZoneField />
      <NumberCountryField />
    </Stack>
  );
}
