/** The API log, with filters in the URL. Members see the requests of their own tokens, operators those of all users. */
import type { ApiRequestRecord } from '@parley/contracts';
import { Button, Group, Skeleton } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { hasFilters, type SearchChanges, withoutUndefined } from '../client/search-values.rules.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ApiLogFilterBar } from './api-log-filter-bar.tsx';
import { apiLogQuery, type ApiLogSearch } from './api-log-search.rules.ts';
import { ApiLogTable } from './api-log-table.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/api-log');

const PER_PAGE = 50;
/** How often the newest requests are renewed while they are shown, milliseconds. */
const RENEWAL_MS = 5_000;

const ICON = <IconListSearch size={24} stroke={1.5} />;

function NoRequests({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState icon={ICON} {...texts.list.noMatch} />;
  const { title, text, action } = texts.list.empty;
  return (
    <EmptyState icon={ICON} title={title} text={text}>
      <LinkButton to="/tokens">{action}</LinkButton>
    </EmptyState>
  );
}

interface RequestListProps {
  rows: readonly ApiRequestRecord[];
  /** The number of the last row; null at the end of the list. */
  next: number | null;
  isNewest: boolean;
  onShow: (before: number | undefined) => void;
}

function RequestList({ rows, next, isNewest, onShow }: RequestListProps): ReactNode {
  return (
    <>
      <ApiLogTable entries={rows} />
      {(next !== null || !isNewest) && (
        <nav aria-label={texts.list.paging}>
          <Group justify="flex-end" mt="md">
            {!isNewest && (
              <Button variant="default" onClick={() => onShow(undefined)} data-testid="api-log-newest">
                {texts.list.newest}
              </Button>
            )}
            {next !== null && (
              <Button variant="default" onClick={() => onShow(next)} data-testid="api-log-older">
                {texts.list.older}
              </Button>
            )}
          </Group>
        </nav>
      )}
    </>
  );
}

/** The page at `/api-log`. */
export function ApiLogPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNewest = search.before === undefined;
  const list = useQuery({
    ...trpc.apiLog.list.queryOptions({ ...apiLogQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: isNewest && RENEWAL_MS,
  });
  const show = (changes: SearchChanges<ApiLogSearch>, isPage: boolean): void =>
    inBackground(
      navigate({
        search: (before) => withoutUndefined<ApiLogSearch>({ ...before, before: undefined, ...changes }),
        replace: !isPage,
      }),
    );
  const isFiltered = hasFilters(search) || !isNewest;
  const isEmpty = list.data?.rows.length === 0 && !isFiltered;
  return (
    <>
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      {!isEmpty && <ApiLogFilterBar search={search} onChange={(changes) => show(changes, false)} />}
      <QueryView query={list} pending={<Skeleton h={360} radius="lg" />}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <NoRequests isFiltered={isFiltered} />
          ) : (
            <RequestList
              rows={rows}
              next={next}
              isNewest={isNewest}
              onShow={(before) => show({ before }, true)}
            />
          )
        }
      </QueryView>
    </>
  );
}
