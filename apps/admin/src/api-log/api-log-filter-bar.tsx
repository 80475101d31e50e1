/** The filters above the API log. */
import { apiMethods, statusClasses } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  type FilterBarProps,
  type FilterValue,
  IdFilter,
  TextFilter,
} from '../ui/filter-bar.tsx';
import type { ApiLogSearch } from './api-log-search.rules.ts';
import { texts } from './texts.ts';

const STATUSES = statusClasses.map((value) => ({ value, label: texts.filters.statuses[value] }));
const METHODS = apiMethods.map((value) => ({ value, label: value }));

/** The user's own tokens, and the one of the URL, which may be another user's. */
function TokenFilter(filter: FilterValue<number>): ReactNode {
  const { data: own = [] } = useQuery(useTRPC().tokens.list.queryOptions());
  return <IdFilter {...filter} label={texts.filters.token} choices={own} otherName={texts.list.token} />;
}

/** All filters. */
export function ApiLogFilterBar(props: FilterBarProps<ApiLogSearch>): ReactNode {
  return (
    <FilterBar {...props}>
      {(valueOf) => (
        <>
          <ChoiceFilter {...valueOf('status')} label={texts.filters.status} choices={STATUSES} />
          <ChoiceFilter {...valueOf('method')} label={texts.filters.method} choices={METHODS} />
          <TextFilter
            {...valueOf('operation')}
            label={texts.filters.operation}
            placeholder={texts.filters.operationPlaceholder}
            inputMode="search"
          />
          <TokenFilter {...valueOf('token')} />
          <TextFilter
            {...valueOf('request')}
            label={texts.filters.requestId}
            placeholder={texts.filters.requestIdPlaceholder}
            inputMode="search"
          />
          <DayFilter {...valueOf('from')} label={texts.filters.from} />
          <DayFilter {...valueOf('until')} label={texts.filters.until} />
        </>
      )}
    </FilterBar>
  );
}
