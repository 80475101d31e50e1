/** The list of suites, and the replays of calls. */
import type { SuiteRecord } from '@parley/contracts';
import { IconTestPipe } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { CreatedListPage } from '../ui/created-list-page.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Instant } from '../ui/instant.tsx';
import { Section } from '../ui/section.tsx';
import { RunState } from './run-state.tsx';
import { RunsTable } from './runs-table.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const SuiteForm = later(() => import('./suite-form.tsx'), 'SuiteForm');

const COLUMNS: readonly Column[] = [
  [texts.list.columns.name],
  [texts.list.columns.conversations, table['mediumOnly']],
  [texts.list.columns.last],
  [texts.list.columns.when, table['mediumOnly']],
];

function SuiteRow({ suite }: { suite: SuiteRecord }): ReactNode {
  return (
    <tr data-testid="suite-row">
      <td className={table['wrap']}>
        <Link to="/evaluations/$suiteId" params={{ suiteId: suite.id }} className={table['rowLink'] ?? ''}>
          {suite.name}
        </Link>
        <div className={table['under']}>{texts.list.callers(suite.callers_count)}</div>
      </td>
      <td className={table['mediumOnly']}>{suite.conversations_count}</td>
      <td>{suite.last_run ? <RunState status={suite.last_run.status} /> : texts.list.never}</td>
      <td className={table['mediumOnly']}>
        {suite.last_run ? <Instant at={suite.last_run.created_at} /> : '–'}
      </td>
    </tr>
  );
}

function SuitesTable({ suites }: { suites: readonly SuiteRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {suites.map((suite) => (
        <SuiteRow key={suite.id} suite={suite} />
      ))}
    </DataTable>
  );
}

function Replays(): ReactNode {
  const trpc = useTRPC();
  const runs = useQuery(trpc.suiteRuns.list.queryOptions({})).data ?? [];
  const replays = runs.filter(({ replayed_call_id: callId }) => callId !== null);
  if (replays.length === 0) return null;
  return (
    <Section title={texts.list.replays}>
      <RunsTable runs={replays} />
    </Section>
  );
}

/** The page at `/evaluations`. */
export function EvaluationsPage(): ReactNode {
  const suites = useQuery(useTRPC().suites.list.queryOptions());
  return (
    <CreatedListPage
      texts={texts.list}
      icon={<IconTestPipe size={24} stroke={1.5} />}
      testId="new-suite"
      list={suites}
      table={(rows) => <SuitesTable suites={rows} />}
      form={(onDone) => <SuiteForm onDone={onDone} />}
      isWide
    >
      <Replays />
    </CreatedListPage>
  );
}
