/** The filters above the written conversations. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { ChoiceFilter, DayFilter, FilterBar, IdFilter } from '../ui/filter-bar.tsx';
import {
  type ConversationSearch,
  type ConversationSearchChanges,
  conversationStates,
  hasFilters,
} from './conversation-search.rules.ts';
import { texts } from './texts.ts';

interface ConversationFilterBarProps {
  search: ConversationSearch;
  /** Called with what changed; `undefined` removes a filter. */
  onChange: (changes: ConversationSearchChanges) => void;
}

const STATES = conversationStates.map((value) => ({ value, label: texts.states[value] }));

const NO_FILTERS: ConversationSearchChanges = {
  assistant: undefined,
  state: undefined,
  from: undefined,
  until: undefined,
};

/** All filters. The days are those of the beginning, in the time zone of the account. */
export function ConversationFilterBar({ search, onChange }: ConversationFilterBarProps): ReactNode {
  const assistants = useQuery(useTRPC().assistants.list.queryOptions()).data ?? [];
  return (
    <FilterBar isFiltered={hasFilters(search)} onClear={() => onChange(NO_FILTERS)}>
      <IdFilter
        label={texts.filters.assistant}
        name="assistant"
        value={search.assistant}
        choices={assistants}
        onChange={(assistant) => onChange({ assistant })}
      />
      <ChoiceFilter
        label={texts.filters.state}
        name="state"
        value={search.state}
        choices={STATES}
        onChange={(state) => onChange({ state })}
      />
      <DayFilter
        label={texts.filters.from}
        name="from"
        value={search.from}
        onChange={(from) => onChange({ from })}
      />
      <DayFilter
        label={texts.filters.until}
        name="until"
        value={search.until}
        onChange={(until) => onChange({ until })}
      />
    </FilterBar>
  );
}
