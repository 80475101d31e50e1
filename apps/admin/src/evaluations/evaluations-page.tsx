/** The list of suites, and the replays of calls. */
import type { SuiteRecord } from '@parley/contracts';
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTestPipe } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AddButton } from '../ui/add-button.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
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
        {suite.last_run ? formatInstant(suite.last_run.created_at) : '–'}
      </td>
    </tr>
  );
}

function Suites({ suites, onNew }: { suites: readonly SuiteRecord[]; onNew: () => void }): ReactNode {
  if (suites.length === 0)
    return (
      <EmptyState icon={<IconTestPipe size={24} stroke={1.5} />} {...texts.list.empty}>
        <AddButton label={texts.list.new} testId="new-suite" onClick={onNew} />
      </EmptyState>
    );
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
  const trpc = useTRPC();
  const suites = useQuery(trpc.suites.list.queryOptions());
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title={texts.list.title}
        subtitle={texts.list.subtitle}
        actions={
          suites.data &&
          suites.data.length > 0 && (
            <AddButton label={texts.list.new} testId="new-suite" onClick={dialog.open} />
          )
        }
      />
      <QueryView query={suites} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => <Suites suites={data} onNew={dialog.open} />}
      </QueryView>
      <Replays />
      <Dialog title={texts.list.new} isOpen={isOpen} onClose={dialog.close} isWide>
        <SuiteForm onDone={dialog.close} />
      </Dialog>
    </>
  );
}
