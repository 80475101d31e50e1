/** The list of calls: filters in the address, live rows, pages. */
import type { CallSummary, Envelope } from '@parley/contracts';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconPhoneCall } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { withoutUndefined } from '../client/search-values.rules.ts';
import { CodeLine } from '../ui/code-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { CallFilterBar } from './call-filter-bar.tsx';
import { callQuery, type CallSearch, hasFilters, readCallSearch } from './call-search.rules.ts';
import type { ChosenColumn } from './call-columns.rules.ts';
import { CallsTable } from './calls-table.tsx';
import { CallsToolbar, useCallColumns } from './calls-toolbar.tsx';
import { inBackground } from '../client/in-background.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/calls');

const PER_PAGE = 25;

function NoCalls({ search }: { search: CallSearch }): ReactNode {
  if (hasFilters(search))
    return (
      <EmptyState
        icon={<IconPhoneCall size={24} stroke={1.5} />}
        title={texts.list.noMatch.title}
        text={texts.list.noMatch.text}
      />
    );
  return (
    <EmptyState
      icon={<IconPhoneCall size={24} stroke={1.5} />}
      title={texts.list.empty.title}
      text={texts.list.empty.text}
    >
      <CodeLine code={texts.list.empty.command(location.origin)} label={texts.list.empty.commandLabel} />
    </EmptyState>
  );
}

interface CallListProps {
  page: Envelope<CallSummary>;
  search: CallSearch;
  columns: readonly ChosenColumn[];
  onPage: (page: number) => void;
}

function CallList({ page, search, columns, onPage }: CallListProps): ReactNode {
  if (page.total === 0) return <NoCalls search={search} />;
  // An old or mistyped URL can name a page behind the last one.
  if (page.current_page > page.last_page)
    return <Navigate to="/calls" search={readCallSearch({ ...search, page: page.last_page })} replace />;
  return (
    <>
      <CallsTable calls={page.data} columns={columns} />
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed" data-testid="call-total">
          {texts.list.total(page.total)}
        </Text>
        <Pages total={page.last_page} current={page.current_page} onPage={onPage} />
      </Group>
    </>
  );
}

/** The page at `/calls`. */
export function CallsPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [columns, setColumns] = useCallColumns();
  const calls = useQuery({
    ...trpc.calls.list.queryOptions({ ...callQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={texts.list.title} subtitle={texts.list.subtitle} />
      <CallFilterBar
        search={search}
        onChange={(changes) =>
          inBackground(
            navigate({
              search: (before) => withoutUndefined<CallSearch>({ ...before, ...changes, page: undefined }),
              replace: true,
            }),
          )
        }
      />
      <CallsToolbar search={search} columns={columns} onColumns={setColumns} />
      <QueryView query={calls} pending={<Skeleton h={360} radius="lg" />}>
        {(data) => (
          <CallList
            page={data}
            search={search}
            columns={columns}
            onPage={(target) => inBackground(navigate({ search: (before) => ({ ...before, page: target }) }))}
          />
        )}
      </QueryView>
    </>
  );
}
