/** Filters a list by campaign. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { texts } from './texts.ts';

interface CampaignFilterProps {
  /** The id; undefined: all campaigns. */
  value: number | undefined;
  onChange: (campaignId: number | undefined) => void;
}

/** A choice of all campaigns. */
export function CampaignFilter({ value, onChange }: CampaignFilterProps): ReactNode {
  const campaigns = useQuery(useTRPC().campaigns.list.queryOptions()).data ?? [];
  return (
    <NativeSelect
      label={texts.filters.campaign}
      value={value === undefined ? '' : String(value)}
      data-testid="filter-campaign"
      data={[
        { value: '', label: texts.filters.all },
        ...campaigns.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))
      }
    />
  );
}
