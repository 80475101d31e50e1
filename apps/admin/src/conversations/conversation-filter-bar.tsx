/** The filters above the written conversations. */
import type { ReactNode } from 'react';
import { AssistantFilter } from '../calls/assistant-filter.tsx';
import { ChoiceFilter, DayFilter, FilterBar, type FilterBarProps } from '../ui/filter-bar.tsx';
import { type ConversationSearch, conversationStates } from './conversation-search.rules.ts';
import { texts } from './texts.ts';

const STATES = conversationStates.map((value) => ({ value, label: texts.states[value] }));

/** All filters. The days are those of the beginning, in the time zone of the account. */
export function ConversationFilterBar(props: FilterBarProps<ConversationSearch>): ReactNode {
  return (
    <FilterBar {...props}>
      {(valueOf) => (
        <>
          <AssistantFilter {...valueOf('assistant')} />
          <ChoiceFilter {...valueOf('state')} label={texts.filters.state} choices={STATES} />
          <DayFilter {...valueOf('from')} label={texts.filters.from} />
          <DayFilter {...valueOf('until')} label={texts.filters.until} />
        </>
      )}
    </FilterBar>
  );
}
