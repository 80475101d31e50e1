/** Filters a list by campaign. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { type FilterValue, IdFilter } from '../ui/filter-bar.tsx';
import { texts } from './texts.ts';

/** A choice of all campaigns. */
export function CampaignFilter(filter: FilterValue<number>): ReactNode {
  const campaigns = useQuery(useTRPC().campaigns.list.queryOptions()).data ?? [];
  return <IdFilter {...filter} label={texts.filters.campaign} choices={campaigns} />;
}
