/** The list of calls: filters and order in the address, calls in progress on top, pages, a preview at the side. */
import type { CallSummary, Envelope } from '@parley/contracts';
import { Alert, Group, Skeleton, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconPhoneCall } from '@tabler/icons-react';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { hasFilters, withoutUndefined } from '../client/search-values.rules.ts';
import { CodeLine } from '../ui/code-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { CallFilterBar } from './call-filter-bar.tsx';
import { CallPreview } from './call-preview.tsx';
import { callQuery, type CallSearch, filterQuery, sortedBy } from './call-search.rules.ts';
import type { ChosenColumn } from './call-columns.rules.ts';
import classes from './calls-page.module.css';
import { CallsTable, focusCallOf } from './calls-table.tsx';
import { CallsToolbar, useCallColumns } from './calls-toolbar.tsx';
import { inBackground } from '../client/in-background.ts';
import { type LiveCalls, passesFilters } from './merge-live-call.rules.ts';
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
      <LinkButton to="/assistants">{texts.list.empty.action}</LinkButton>
      <CodeLine code={texts.list.empty.command(location.origin)} label={texts.list.empty.commandLabel} />
    </EmptyState>
  );
}

/** Where the table leaves room for the preview, and where also for all of its columns. */
const WITH_PREVIEW = '(width > 72em)';
const WITH_ALL_COLUMNS = '(width > 110em)';
/** What the preview shows too. */
const IN_PREVIEW: readonly ChosenColumn[] = ['assistant', 'campaign', 'disposition', 'lanes'];
/** The filter of the status finds all of them. */
const MOST_PINNED = 8;

/** The calls in progress that the list has on top; null where it has none, undefined until they are known. */
function usePinned(search: CallSearch): LiveCalls | null | undefined {
  const { page, status, outcome, disposition, ...rest } = search;
  const isOnTop = !page && !status && !outcome && !disposition;
  const { assistant_id, campaign_id, ...filters } = filterQuery(rest);
  const ids = { ...(assistant_id && { assistant_id }), ...(campaign_id && { campaign_id }) };
  const live = useQuery(useTRPC().calls.live.queryOptions(isOnTop ? ids : skipToken));
  if (!isOnTop || live.isError) return null;
  if (!live.data) return undefined;
  const rows = live.data.rows.filter((row) => passesFilters(filters, row));
  const isFiltered = Object.keys(filters).length > 0;
  return { rows: rows.slice(0, MOST_PINNED), total: isFiltered ? rows.length : live.data.total };
}

interface CallListProps {
  page: Envelope<CallSummary>;
  isSorted: boolean;
  search: CallSearch;
  columns: readonly ChosenColumn[];
  pinned: LiveCalls | null | undefined;
  onSearch: (change: (before: CallSearch) => CallSearch, isPage?: boolean) => void;
}

function CallList({ page, isSorted, search, columns, pinned, onSearch }: CallListProps): ReactNode {
  const hasRoom = useMediaQuery(WITH_PREVIEW, undefined, { getInitialValueInEffect: false });
  const isRoomy = useMediaQuery(WITH_ALL_COLUMNS, undefined, { getInitialValueInEffect: false });
  const { sort = 'started', order } = search;
  const chosen = hasRoom ? search.preview : undefined;
  const choose = (preview: number | undefined): void =>
    onSearch((before) => withoutUndefined<CallSearch>({ ...before, preview }));
  const close = (): void => {
    if (chosen === undefined) return;
    focusCallOf(chosen);
    choose(undefined);
  };
  useHotkeys([['Escape', close]]);
  if (page.total === 0) return <NoCalls search={search} />;
  const pinnedIds = new Set(pinned?.rows.map(({ id }) => id));
  return (
    <div className={classes['list']} data-with-preview={chosen !== undefined}>
      <div>
        {!isSorted && (
          <Alert color="yellow" variant="light" mb="sm" data-testid="not-sorted">
            {texts.list.notSorted}
          </Alert>
        )}
        <CallsTable
          calls={page.data.filter(({ id }) => !pinnedIds.has(id))}
          columns={
            chosen === undefined || isRoomy
              ? columns
              : columns.filter((column) => !IN_PREVIEW.includes(column))
          }
          live={pinned ? { ...pinned, search: { ...search, status: 'in-progress' } } : undefined}
          sorting={{
            sort: isSorted ? sort : 'started',
            direction: isSorted && order === 'ascending' ? 'ascending' : 'descending',
            onSort: (by) => onSearch((before) => sortedBy(before, by)),
          }}
          choice={hasRoom ? { chosen, onChoose: choose } : undefined}
        />
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed" data-testid="call-total">
            {texts.list.total(page.total)}
          </Text>
          <Pages
            total={page.last_page}
            current={page.current_page}
            isEmpty={page.data.length === 0}
            onPage={(target, isCorrection = false) =>
              onSearch(
                (before) => withoutUndefined<CallSearch>({ ...before, preview: undefined, page: target }),
                !isCorrection,
              )
            }
          />
        </Group>
      </div>
      {chosen !== undefined && <CallPreview callId={chosen} onClose={close} />}
    </div>
  );
}

/** The page at `/calls`. */
export function CallsPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [columns, setColumns] = useCallColumns();
  const pinned = usePinned(search);
  const calls = useQuery({
    ...trpc.calls.list.queryOptions({ ...callQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  const isUnused = calls.data?.total === 0 && !hasFilters(search);
  return (
    <>
      <PageHeader title={texts.list.title} subtitle={texts.list.subtitle} />
      {!isUnused && (
        <>
          <CallFilterBar
            search={search}
            onChange={(changes) =>
              inBackground(
                navigate({
                  search: (before) =>
                    withoutUndefined<CallSearch>({
                      ...before,
                      ...changes,
                      page: undefined,
                      preview: undefined,
                    }),
                  replace: true,
                }),
              )
            }
          />
          <CallsToolbar search={search} columns={columns} onColumns={setColumns} />
        </>
      )}
      <QueryView query={calls} isWaiting={pinned === undefined} pending={<Skeleton h={360} radius="lg" />}>
        {({ is_sorted: isSorted, ...page }) => (
          <CallList
            page={page}
            isSorted={isSorted}
            search={search}
            columns={columns}
            pinned={pinned}
            onSearch={(change, isPage = false) =>
              inBackground(navigate({ search: change, replace: !isPage, resetScroll: isPage }))
            }
          />
        )}
      </QueryView>
    </>
  );
}
