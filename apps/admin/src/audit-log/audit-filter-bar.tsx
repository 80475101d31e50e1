/** The filters above the audit log. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  type FilterBarProps,
  type FilterValue,
  IdFilter,
} from '../ui/filter-bar.tsx';
import type { AuditLogSearch } from './audit-log-search.rules.ts';
import { areaTexts, type AuditArea } from './operations/texts.ts';
import { texts } from './texts.ts';

const AREAS = Object.entries(areaTexts)
  .map(([value, label]) => ({ value: value as AuditArea, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

/** All users, and the one of the URL, who may have been removed. For operators only: members see their own entries. */
function UserFilter(filter: FilterValue<number>): ReactNode {
  const { data: users = [] } = useQuery(useTRPC().users.list.queryOptions());
  const choices = users.map(({ id, email }) => ({ id, name: email }));
  return (
    <IdFilter
      {...filter}
      label={texts.filters.user}
      choices={choices}
      otherName={texts.filters.removedUser}
    />
  );
}

/** All filters. */
export function AuditFilterBar(props: FilterBarProps<AuditLogSearch>): ReactNode {
  const isOperator = useIsOperator();
  return (
    <FilterBar {...props}>
      {(valueOf) => (
        <>
          <ChoiceFilter {...valueOf('area')} label={texts.filters.area} choices={AREAS} />
          {isOperator && <UserFilter {...valueOf('user')} />}
          <DayFilter {...valueOf('from')} label={texts.filters.from} />
          <DayFilter {...valueOf('until')} label={texts.filters.until} />
        </>
      )}
    </FilterBar>
  );
}
