/** The filters above the leads. */
import type { ReactNode } from 'react';
import { outcomeChoices } from '../calls/call-status.rules.ts';
import { CampaignFilter } from '../calls/campaign-filter.tsx';
import { ChoiceFilter, FilterBar, type FilterBarProps, TextFilter } from '../ui/filter-bar.tsx';
import { stateChoices } from './lead-labels.rules.ts';
import type { LeadSearch } from './lead-search.rules.ts';
import { texts } from './texts.ts';

/** All filters. */
export function LeadFilterBar(props: FilterBarProps<LeadSearch>): ReactNode {
  return (
    <FilterBar {...props}>
      {(valueOf) => (
        <>
          <CampaignFilter {...valueOf('campaign')} />
          <ChoiceFilter {...valueOf('state')} label={texts.filters.state} choices={stateChoices} />
          <ChoiceFilter {...valueOf('outcome')} label={texts.filters.outcome} choices={outcomeChoices} />
          <TextFilter
            {...valueOf('number')}
            label={texts.filters.number}
            placeholder={texts.filters.numberPlaceholder}
          />
        </>
      )}
    </FilterBar>
  );
}
