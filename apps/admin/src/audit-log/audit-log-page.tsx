/** The audit log, with a search by operation. Members see their own entries, operators see all. */
import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AuditTable } from './audit-table.tsx';
import { texts } from './texts.ts';

const PER_PAGE = 25;
/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

function NoEntries({ isSearch }: { isSearch: boolean }): ReactNode {
  if (isSearch)
    return (
      <Text size="sm" c="dimmed">
        {texts.search.empty}
      </Text>
    );
  return <EmptyState icon={<IconHistory size={24} stroke={1.5} />} {...texts.empty} />;
}

/** The page at `/audit-log`. */
export function AuditLogPage(): ReactNode {
  const trpc = useTRPC();
  const [filter, setFilter] = useState({ operation: '', page: 1 });
  const [operation] = useDebouncedValue(filter.operation.trim(), TYPING_PAUSE_MS);
  const list = useQuery({
    ...trpc.auditLog.list.queryOptions({
      page: filter.page,
      per_page: PER_PAGE,
      ...(operation && { operation }),
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      <Stack gap="md">
        <search>
          <TextInput
            label={texts.search.label}
            placeholder={texts.search.placeholder}
            type="search"
            maw="18rem"
            maxLength={64}
            value={filter.operation}
            onChange={({ currentTarget: { value } }) => setFilter({ operation: value, page: 1 })}
          />
        </search>
        <QueryView query={list} pending={<Skeleton h={360} radius="lg" />}>
          {({ rows, total }) =>
            total === 0 ? (
              <NoEntries isSearch={operation !== ''} />
            ) : (
              <>
                <AuditTable entries={rows} />
                <Group justify="space-between">
                  <Text size="sm" c="dimmed">
                    {texts.list.total(total)}
                  </Text>
                  <Pages
                    total={Math.ceil(total / PER_PAGE)}
                    current={filter.page}
                    onPage={(page) => setFilter({ ...filter, page })}
                  />
                </Group>
              </>
            )
          }
        </QueryView>
      </Stack>
    </>
  );
}
