/** Runs in a table, newest first. */
import type { SuiteRunRecord } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Instant } from '../ui/instant.tsx';
import { RunState } from './run-state.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.runs.columns.run],
  [texts.runs.columns.result],
  [texts.runs.columns.conversations, table['mediumOnly']],
  [texts.runs.columns.when],
];

/** Each row is a link to the page of its run. */
export function RunsTable({ runs }: { runs: readonly SuiteRunRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {runs.map((run) => (
        <tr key={run.id} data-testid="run-row">
          <td className={table['wrap']}>
            <Link to="/evaluations/runs/$runId" params={{ runId: run.id }} className={table['rowLink'] ?? ''}>
              {run.replayed_call_id === null ? texts.runs.run(run.id) : run.name}
            </Link>
            {run.error !== null && <div className={table['under']}>{run.error}</div>}
          </td>
          <td>
            <RunState status={run.status} />
          </td>
          <td className={table['mediumOnly']}>
            {texts.runs.progress(run.done_count, run.conversations_count, run.failed_count)}
          </td>
          <td>
            <Instant at={run.created_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
