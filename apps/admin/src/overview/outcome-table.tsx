/** The calls of a period by outcome, as a table; each row leads to its calls. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OutcomePill } from '../calls/outcome-pill.tsx';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatDuration } from '../ui/format.rules.ts';
import { percentOf, sumOf, sumsByOutcome } from './overview-figures.rules.ts';
import type { CallsOfDay } from '@parley/contracts';
import { texts } from './texts.ts';

const { columns } = texts.chart;

const COLUMNS: readonly Column[] = [
  [columns.outcome],
  [columns.calls, table['number']],
  [columns.share, table['number']],
  [columns.talkTime, `${table['number']} ${table['mediumOnly']}`],
  [columns.cost, `${table['number']} ${table['mediumOnly']}`],
];

/** `from` and `until` are the first and the last day. */
export function OutcomeTable({
  from,
  until,
  days,
}: {
  from: string;
  until: string;
  days: readonly CallsOfDay[];
}): ReactNode {
  const { format } = useAmounts();
  const { calls } = sumOf(days);
  return (
    <DataTable columns={COLUMNS}>
      {sumsByOutcome(days).map(({ outcome, sums }) => (
        <tr key={outcome}>
          <td>
            <Link to="/calls" search={{ from, until, outcome }} className={table['rowLink'] ?? ''}>
              <OutcomePill outcome={outcome} />
            </Link>
          </td>
          <td className={table['number']}>{sums.calls.toLocaleString('en')}</td>
          <td className={table['number']}>{texts.chart.share(percentOf(sums.calls, calls) ?? 0)}</td>
          <td className={`${table['number']} ${table['mediumOnly']}`}>{formatDuration(sums.talk_seconds)}</td>
          <td className={`${table['number']} ${table['mediumOnly']}`}>{format(sums.cost)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
