/** Filters a list by assistant. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { type FilterValue, IdFilter } from '../ui/filter-bar.tsx';
import { texts } from './texts.ts';

/** A choice of all assistants. */
export function AssistantFilter(filter: FilterValue<number>): ReactNode {
  const assistants = useQuery(useTRPC().assistants.list.queryOptions()).data ?? [];
  return <IdFilter {...filter} label={texts.filters.assistant} choices={assistants} />;
}
