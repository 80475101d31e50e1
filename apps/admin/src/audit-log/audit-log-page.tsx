/** The audit log, with filters in the URL. Members see their own entries, operators see all. */
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { AuditRecord } from '@parley/contracts';
import { IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { hasFilters, type SearchChanges, withoutUndefined } from '../client/search-values.rules.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { auditLogQuery, type AuditLogSearch } from './audit-log-search.rules.ts';
import { AuditTable } from './audit-table.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/audit-log');

const PER_PAGE = 25;

interface EntryListProps {
  rows: readonly AuditRecord[];
  total: number;
  page: number;
  onPage: (page: number, isCorrection?: boolean) => void;
}

function EntryList({ rows, total, page, onPage }: EntryListProps): ReactNode {
  return (
    <Stack gap="md">
      <AuditTable entries={rows} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.list.total(total)}
        </Text>
        <Pages
          total={Math.ceil(total / PER_PAGE)}
          current={page}
          isEmpty={rows.length === 0}
          onPage={onPage}
        />
      </Group>
    </Stack>
  );
}

/** The page at `/audit-log`. */
export function AuditLogPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({
    ...trpc.auditLog.list.queryOptions({ ...auditLogQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  const show = (changes: SearchChanges<AuditLogSearch>, isPage: boolean): void =>
    inBackground(
      navigate({
        search: (before) => withoutUndefined<AuditLogSearch>({ ...before, page: undefined, ...changes }),
        replace: !isPage,
      }),
    );
  const isEmpty = list.data?.total === 0 && !hasFilters(search);
  return (
    <>
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      {!isEmpty && <AuditFilterBar search={search} onChange={(changes) => show(changes, false)} />}
      <QueryView query={list} pending={<Skeleton h={360} radius="lg" />}>
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyState
              icon={<IconHistory size={24} stroke={1.5} />}
              {...(isEmpty ? texts.empty : texts.list.noMatch)}
            />
          ) : (
            <EntryList
              rows={rows}
              total={total}
              page={search.page ?? 1}
              onPage={(page, isCorrection = false) => show({ page }, !isCorrection)}
            />
          )
        }
      </QueryView>
    </>
  );
}
