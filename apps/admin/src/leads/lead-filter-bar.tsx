/** The filters above the leads. They live in the URL, so Back, reload and sharing keep them. */
import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { isCallOutcome, outcomeChoices } from '../calls/call-status.rules.ts';
import { CampaignFilter } from '../calls/campaign-filter.tsx';
import classes from '../ui/filter-bar.module.css';
import { SearchField } from '../ui/search-field.tsx';
import { isLeadState, stateChoices } from './lead-labels.rules.ts';
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
    <search className={classes['bar']}>
      <CampaignFilter value={search.campaign} onChange={(campaign) => onChange({ campaign })} />
      <NativeSelect
        label={texts.filters.state}
        value={search.state ?? ''}
        data-testid="filter-state"
        data={[{ value: '', label: texts.filters.all }, ...stateChoices]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ state: isLeadState(value) ? value : undefined })
        }
      />
      <NativeSelect
        label={texts.filters.outcome}
        value={search.outcome ?? ''}
        data-testid="filter-outcome"
        data={[{ value: '', label: texts.filters.all }, ...outcomeChoices]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ outcome: isCallOutcome(value) ? value : undefined })
        }
      />
      <SearchField
        label={texts.filters.number}
        placeholder={texts.filters.numberPlaceholder}
        value={search.number}
        testId="filter-number"
        onChange={(number) => onChange({ number })}
      />
      {hasFilters(search) && (
        <Button variant="subtle" data-testid="filter-clear" onClick={() => onChange(NO_FILTERS)}>
          {texts.filters.clear}
        </Button>
      )}
    </search>
  );
}
