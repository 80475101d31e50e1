/** The filters above the calls table. */
import { skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  type FilterBarProps,
  type FilterValue,
  TextFilter,
} from '../ui/filter-bar.tsx';
import { AssistantFilter } from './assistant-filter.tsx';
import type { CallSearch } from './call-search.rules.ts';
import { outcomeChoices, statusChoices, typeChoices } from './call-status.rules.ts';
import { CampaignFilter } from './campaign-filter.tsx';
import { texts } from './texts.ts';

interface DispositionFilterProps extends FilterValue<string> {
  campaignId: number | undefined;
}

/** Where a campaign with dispositions is chosen, or one of them. */
function DispositionFilter({ campaignId: id, ...filter }: DispositionFilterProps): ReactNode {
  const trpc = useTRPC();
  const campaign = useQuery(trpc.campaigns.get.queryOptions(id === undefined ? skipToken : { id })).data;
  const names = new Set([
    ...(campaign?.dispositions ?? []),
    ...(filter.value === undefined ? [] : [filter.value]),
  ]);
  if (names.size === 0) return null;
  return (
    <ChoiceFilter
      {...filter}
      label={texts.filters.disposition}
      choices={[...names].map((name) => ({ value: name, label: name }))}
    />
  );
}

/** All filters. The days are inclusive, in the time zone of the account. */
export function CallFilterBar(props: FilterBarProps<CallSearch>): ReactNode {
  return (
    <FilterBar {...props}>
      {(valueOf) => (
        <>
          <ChoiceFilter {...valueOf('outcome')} label={texts.filters.outcome} choices={outcomeChoices} />
          <ChoiceFilter {...valueOf('status')} label={texts.filters.status} choices={statusChoices} />
          <ChoiceFilter {...valueOf('type')} label={texts.filters.type} choices={typeChoices} />
          <AssistantFilter {...valueOf('assistant')} />
          <DispositionFilter {...valueOf('disposition')} campaignId={props.search.campaign} />
          <CampaignFilter {...valueOf('campaign')} />
          <DayFilter {...valueOf('from')} label={texts.filters.from} />
          <DayFilter {...valueOf('until')} label={texts.filters.until} />
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
