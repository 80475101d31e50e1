/** A run beside an earlier one of the same suite. */
import type { SuiteCallerResult, SuiteRunDetail } from '@parley/contracts';
import { NativeSelect, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

const words = texts.run.compare;

const COLUMNS: readonly Column[] = [
  [words.columns.caller],
  [words.columns.change],
  [words.columns.before],
  [words.columns.after],
];

function Result({ caller }: { caller: SuiteCallerResult | null }): ReactNode {
  const { format } = useAmounts();
  if (caller === null) return words.missing;
  const { passed, done, latency_p95: latency, cost } = caller;
  const more = [
    latency === null ? null : texts.run.milliseconds(latency),
    cost === null ? null : format(cost),
  ].filter((one) => one !== null);
  return (
    <>
      {words.result(passed, done)}
      {more.length > 0 && <div className={table['under']}>{more.join(', ')}</div>}
    </>
  );
}

function Compared({ id, beforeId }: { id: number; beforeId: number }): ReactNode {
  const trpc = useTRPC();
  const compared = useQuery(trpc.suiteRuns.compare.queryOptions({ id, before_run_id: beforeId }));
  return (
    <QueryView query={compared} pending={<Skeleton h={120} radius="lg" />}>
      {({ callers }) => (
        <DataTable columns={COLUMNS}>
          {callers.map(({ name, change, before, after }) => (
            <tr key={name} data-testid="compared-row" data-change={change}>
              <td className={table['wrap']}>{name}</td>
              <td>{words.change[change]}</td>
              <td>
                <Result caller={before} />
              </td>
              <td>
                <Result caller={after} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </QueryView>
  );
}

/** Only where the suite has another run. */
export function Comparison({ run }: { run: SuiteRunDetail }): ReactNode {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState<string | null>(null);
  const runs = useQuery({
    ...trpc.suiteRuns.list.queryOptions({ suite_id: run.suite_id ?? 0 }),
    enabled: run.suite_id !== null,
  });
  const others = (runs.data ?? []).filter(({ id }) => id !== run.id);
  if (others.length === 0) return null;
  // Runs are listed newest first: without a choice, the run before this one.
  const before = chosen ?? String(others.find(({ id }) => id < run.id)?.id ?? '');
  return (
    <Section title={words.title}>
      <NativeSelect
        label={words.label}
        mb="md"
        maw="24rem"
        data-testid="compare-with"
        data={[
          { value: '', label: words.none },
          ...others.map(({ id, created_at: at }) => ({
            value: String(id),
            label: `${texts.runs.run(id)}, ${formatInstant(at)}`,
          })),
        ]}
        value={before}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      {before !== '' && <Compared id={run.id} beforeId={Number(before)} />}
    </Section>
  );
}
