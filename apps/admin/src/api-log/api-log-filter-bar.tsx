/** The filters above the API log. */
import { apiMethods, statusClasses } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { ChoiceFilter, DayFilter, FilterBar, IdFilter } from '../ui/filter-bar.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { hasFilters, type ApiLogSearch, type ApiLogSearchChanges } from './api-log-search.rules.ts';
import { texts } from './texts.ts';

interface ApiLogFilterBarProps {
  search: ApiLogSearch;
  /** Called with what changed; `undefined` removes a filter. */
  onChange: (changes: ApiLogSearchChanges) => void;
}

const STATUSES = statusClasses.map((value) => ({ value, label: texts.filters.statuses[value] }));
const METHODS = apiMethods.map((value) => ({ value, label: value }));

const NO_FILTERS: ApiLogSearchChanges = {
  status: undefined,
  method: undefined,
  operation: undefined,
  token: undefined,
  request: undefined,
  from: undefined,
  until: undefined,
};

/** The user's own tokens, and the one of the URL, which may be another user's. */
function TokenFilter({ search: { token }, onChange }: ApiLogFilterBarProps): ReactNode {
  const { data: own = [] } = useQuery(useTRPC().tokens.list.queryOptions());
  const isOther = token !== undefined && own.every(({ id }) => id !== token);
  return (
    <IdFilter
      label={texts.filters.token}
      name="token"
      value={token}
      choices={isOther ? [...own, { id: token, name: texts.list.token(token) }] : own}
      onChange={(chosen) => onChange({ token: chosen })}
    />
  );
}

/** All filters. */
export function ApiLogFilterBar({ search, onChange }: ApiLogFilterBarProps): ReactNode {
  return (
    <FilterBar isFiltered={hasFilters(search)} onClear={() => onChange(NO_FILTERS)}>
      <ChoiceFilter
        label={texts.filters.status}
        name="status"
        value={search.status}
        choices={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter
        label={texts.filters.method}
        name="method"
        value={search.method}
        choices={METHODS}
        onChange={(method) => onChange({ method })}
      />
      <SearchField
        label={texts.filters.operation}
        placeholder={texts.filters.operationPlaceholder}
        inputMode="search"
        value={search.operation}
        testId="filter-operation"
        onChange={(operation) => onChange({ operation })}
      />
      <TokenFilter search={search} onChange={onChange} />
      <SearchField
        label={texts.filters.requestId}
        placeholder={texts.filters.requestIdPlaceholder}
        inputMode="search"
        value={search.request}
        testId="filter-request"
        onChange={(request) => onChange({ request })}
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
