/** What may be dialed, how much, and the limits that were nearly reached. For operators. */
import type { DialPolicyRecord } from '@parley/contracts';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { PolicyForm } from './policy-form.tsx';
import { texts } from './texts.ts';

const { columns, title, empty, used } = texts.warnings;
const COLUMNS: readonly Column[] = [
  [columns.when],
  [columns.who],
  [columns.limit],
  [columns.used, table['number']],
];

function Warnings({ warnings }: Pick<DialPolicyRecord, 'warnings'>): ReactNode {
  const { format } = useAmounts();
  const written = (value: number, measure: string): string =>
    measure === 'cost_per_day' ? format(value) : String(value);
  return (
    <Section title={title}>
      {warnings.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <DataTable columns={COLUMNS}>
          {warnings.map((warning) => (
            <tr
              key={`${warning.reached_at}:${warning.scope}:${warning.name}:${warning.measure}:${warning.threshold_percent}`}
              data-testid="dial-warning"
            >
              <td>{new Date(warning.reached_at).toLocaleString()}</td>
              <td className={table['wrap']}>{warning.name}</td>
              <td>
                {texts.limits.measures[warning.measure]}
                <div className={table['under']}>{texts.warnings.threshold(warning.threshold_percent)}</div>
              </td>
              <td className={table['number']}>
                {used(written(warning.used, warning.measure), written(warning.limit, warning.measure))}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Section>
  );
}

/** The page at `/fraud-protection`. */
export function FraudProtectionPage(): ReactNode {
  const policy = useQuery(useTRPC().dialPolicy.get.queryOptions());
  return (
    <>
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      <QueryView query={policy} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => (
          <Stack gap="lg">
            <Warnings warnings={data.warnings} />
            <PolicyForm policy={data} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}
