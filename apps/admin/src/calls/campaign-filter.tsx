/** Filters a list by campaign. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { IdFilter } from '../ui/filter-bar.tsx';
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
    <IdFilter
      label={texts.filters.campaign}
      name="campaign"
      value={value}
      choices={campaigns}
      onChange={onChange}
    />
  );
}
