/** The filters above the calls table. */
import { skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { ChoiceFilter, DayFilter, FilterBar, IdFilter } from '../ui/filter-bar.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { CampaignFilter } from './campaign-filter.tsx';
import { type CallSearch, type CallSearchChanges, hasFilters } from './call-search.rules.ts';
import { outcomeChoices, statusChoices, typeChoices } from './call-status.rules.ts';
import { texts } from './texts.ts';

interface CallFilterBarProps {
  search: CallSearch;
  /** Called with what changed; `undefined` takes a filter away. */
  onChange: (changes: CallSearchChanges) => void;
}

function AssistantFilter({ search, onChange }: CallFilterBarProps): ReactNode {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  return (
    <IdFilter
      label={texts.filters.assistant}
      name="assistant"
      value={search.assistant}
      choices={assistants}
      onChange={(assistant) => onChange({ assistant })}
    />
  );
}

/** Where a campaign with dispositions is chosen, or one of them. */
function DispositionFilter({ search, onChange }: CallFilterBarProps): ReactNode {
  const trpc = useTRPC();
  const { campaign: id, disposition } = search;
  const campaign = useQuery(trpc.campaigns.get.queryOptions(id === undefined ? skipToken : { id })).data;
  const names = new Set([
    ...(campaign?.dispositions ?? []),
    ...(disposition === undefined ? [] : [disposition]),
  ]);
  if (names.size === 0) return null;
  return (
    <ChoiceFilter
      label={texts.filters.disposition}
      name="disposition"
      value={disposition}
      choices={[...names].map((name) => ({ value: name, label: name }))}
      onChange={(chosen) => onChange({ disposition: chosen })}
    />
  );
}

const NO_FILTERS: CallSearchChanges = {
  status: undefined,
  outcome: undefined,
  disposition: undefined,
  type: undefined,
  assistant: undefined,
  campaign: undefined,
  from: undefined,
  until: undefined,
  number: undefined,
};

/** All filters. The days are inclusive, in the time zone of the account. */
export function CallFilterBar({ search, onChange }: CallFilterBarProps): ReactNode {
  return (
    <FilterBar isFiltered={hasFilters(search)} onClear={() => onChange(NO_FILTERS)}>
      <ChoiceFilter
        label={texts.filters.outcome}
        name="outcome"
        value={search.outcome}
        choices={outcomeChoices}
        onChange={(outcome) => onChange({ outcome })}
      />
      <ChoiceFilter
        label={texts.filters.status}
        name="status"
        value={search.status}
        choices={statusChoices}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter
        label={texts.filters.type}
        name="type"
        value={search.type}
        choices={typeChoices}
        onChange={(type) => onChange({ type })}
      />
      <AssistantFilter search={search} onChange={onChange} />
      <DispositionFilter search={search} onChange={onChange} />
      <CampaignFilter value={search.campaign} onChange={(campaign) => onChange({ campaign })} />
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
      <SearchField
        label={texts.filters.number}
        placeholder={texts.filters.numberPlaceholder}
        value={search.number}
        testId="filter-number"
        onChange={(number) => onChange({ number })}
      />
    </FilterBar>
  );
}
