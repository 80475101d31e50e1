/** How long each kind of data is kept, and what the next nightly run removes. For operators. */
import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { RequestFailure } from '../ui/request-failure.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.columns.data],
  [texts.columns.kept],
  [texts.columns.expired, table['number']],
];

/** The page at `/retention`. The count reads all old calls, so that only the button begins it. */
export function RetentionPage(): ReactNode {
  const trpc = useTRPC();
  const periods = useQuery(trpc.retention.periods.queryOptions());
  const preview = useQuery({ ...trpc.retention.preview.queryOptions(), enabled: false });
  const expired = new Map(preview.data?.map((kind) => [kind.name, kind.expired]));
  const count = (): void => inBackground(preview.refetch());
  const total = [...expired.values()].reduce((sum, number) => sum + number, 0);
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={
          <Button
            variant="default"
            loading={preview.isFetching}
            data-testid="retention-count"
            onClick={count}
          >
            {texts.count}
          </Button>
        }
      />
      {preview.isError && (
        <RequestFailure error={preview.error} onRetry={count} isRetrying={preview.isFetching} />
      )}
      {preview.data && (
        <Alert
          color={total === 0 ? 'teal' : 'yellow'}
          variant="light"
          mb="md"
          role="status"
          data-testid="retention-next"
        >
          {texts.next(total)}
        </Alert>
      )}
      <QueryView query={periods} pending={<Skeleton h={320} radius="lg" />}>
        {(kinds) => (
          <DataTable columns={COLUMNS}>
            {kinds.map(({ name, days }) => (
              <tr key={name} data-testid="retention-kind" data-kind={name}>
                <td className={table['wrap']}>
                  {texts.kinds[name].label}
                  <div className={table['under']}>{texts.kinds[name].setting}</div>
                </td>
                <td>{texts.period(days)}</td>
                <td className={table['number']}>{expired.get(name)?.toLocaleString('en') ?? '–'}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </QueryView>
      <Text size="sm" c="dimmed" mt="md">
        {texts.note}
      </Text>
    </>
  );
}
