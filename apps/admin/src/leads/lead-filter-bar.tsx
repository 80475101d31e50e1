/** The filters above the leads. */
import type { ReactNode } from 'react';
import { outcomeChoices } from '../calls/call-status.rules.ts';
import { CampaignFilter } from '../calls/campaign-filter.tsx';
import { ChoiceFilter, FilterBar } from '../ui/filter-bar.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { stateChoices } from './lead-labels.rules.ts';
import { hasFilters, type LeadSearch, type LeadSearchChanges } from './lead-search.rules.ts';
import { texts } from './texts.ts';

interface LeadFilterBarProps {
  search: LeadSearch;
  /** Called with what changed; `undefined` removes a filter. */
  onChange: (changes: LeadSearchChanges) => void;
}

const NO_FILTERS: LeadSearchChanges = {
  campaign: undefined,
  state: undefined,
  outcome: undefined,
  number: undefined,
};

/** All filters, and a button that clears them. */
export function LeadFilterBar({ search, onChange }: LeadFilterBarProps): ReactNode {
  return (
    <FilterBar isFiltered={hasFilters(search)} onClear={() => onChange(NO_FILTERS)}>
      <CampaignFilter value={search.campaign} onChange={(campaign) => onChange({ campaign })} />
      <ChoiceFilter
        label={texts.filters.state}
        name="state"
        value={search.state}
        choices={stateChoices}
        onChange={(state) => onChange({ state })}
      />
      <ChoiceFilter
        label={texts.filters.outcome}
        name="outcome"
        value={search.outcome}
        choices={outcomeChoices}
        onChange={(outcome) => onChange({ outcome })}
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
