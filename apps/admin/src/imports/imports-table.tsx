/** The imports of a campaign, with progress, reports and an undo button. */
import type { ImportRecord } from '@parley/contracts';
import { Anchor, Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Instant } from '../ui/instant.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Section } from '../ui/section.tsx';
import { importPercent, importResult, isMoving } from './import-labels.rules.ts';
import { UndoButton } from './undo-button.tsx';
import { texts } from './texts.ts';

/** How often a list with a running import is asked for, milliseconds. */
const MOVING_MS = 1_000;

const COLUMNS: readonly Column[] = [
  [texts.imports.columns.file],
  [texts.imports.columns.state],
  [texts.imports.columns.rows, table['mediumOnly']],
  [''],
];

function ImportState({ record }: { record: ImportRecord }): ReactNode {
  const percent = record.state === 'running' ? importPercent(record) : null;
  return (
    <>
      {texts.importState[record.state]}
      {percent !== null && (
        <Progress value={percent} size="sm" mt={4} aria-label={texts.imports.percent(percent)} />
      )}
    </>
  );
}

function ImportRow({ record }: { record: ImportRecord }): ReactNode {
  const hasReport = record.refusals.length > 0 && record.state !== 'undone';
  return (
    <tr data-testid="import-row" data-state={record.state}>
      <td className={table['wrap']}>
        {record.file_name ?? texts.imports.unnamed}
        <div className={table['under']}>
          <Instant at={record.created_at} />
        </div>
        <div className={`${table['under']} ${table['narrowOnly']}`}>{importResult(record)}</div>
      </td>
      <td>
        <ImportState record={record} />
      </td>
      <td className={`${table['wrap']} ${table['mediumOnly']}`}>{importResult(record)}</td>
      <td className={table['number']}>
        <RowActions>
          {hasReport && (
            <Anchor size="sm" href={`/lead-files/${record.id}/report`} download data-testid="import-report">
              {texts.imports.refused}
            </Anchor>
          )}
          {record.state !== 'undone' && <UndoButton record={record} />}
        </RowActions>
      </td>
    </tr>
  );
}

function Imports({ records }: { records: readonly ImportRecord[] }): ReactNode {
  if (records.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.imports.empty}
      </Text>
    );
  return (
    <DataTable columns={COLUMNS}>
      {records.map((record) => (
        <ImportRow key={record.id} record={record} />
      ))}
    </DataTable>
  );
}

/** Refreshes while an import is changing, including imports by other users. */
export function ImportsTable({ campaignId }: { campaignId: number }): ReactNode {
  const trpc = useTRPC();
  const imports = useQuery({
    ...trpc.campaigns.imports.queryOptions({ id: campaignId }),
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? MOVING_MS : false),
  });
  return (
    <Section title={texts.imports.title}>
      <QueryView query={imports} pending={<Skeleton h={120} radius="lg" />}>
        {(records) => <Imports records={records} />}
      </QueryView>
    </Section>
  );
}
