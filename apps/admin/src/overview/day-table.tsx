/** The figures of the charts as a table: a row for each day with calls, the newest first. */
import type { ReactNode } from 'react';
import type { ChartSeries } from '../charts/chart-data.rules.ts';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatDate, formatMilliseconds } from '../ui/format.rules.ts';
import { type DayFigures, talkMinutes } from './day-figures.rules.ts';
import { percentOf } from './overview-figures.rules.ts';
import { texts } from './texts.ts';

const { charts, chart } = texts;
const NUMBER = table['number'];

/** The cells of one day; null for a figure that the day does not have. */
function cellsOf({ sums, silence }: DayFigures, formatCost: (amount: number) => string): (string | null)[] {
  const rate = percentOf(sums.answered, sums.outbound);
  return [
    sums.calls.toLocaleString('en'),
    rate === null ? null : chart.share(rate),
    charts.ofMinutes(talkMinutes(sums)),
    formatCost(sums.cost),
    silence && formatMilliseconds(silence.median_ms),
    silence && formatMilliseconds(silence.p95_ms),
  ];
}

interface DayTableProps {
  figures: readonly DayFigures[];
  outcomes: readonly ChartSeries[];
}

/** Days without calls are left out. */
export function DayTable({ figures, outcomes }: DayTableProps): ReactNode {
  const { format } = useAmounts();
  const columns: Column[] = [
    [texts.table.day],
    [chart.columns.calls, NUMBER],
    [charts.answered, NUMBER],
    [charts.talkTime, NUMBER],
    [charts.cost, NUMBER],
    [charts.medianSilence, NUMBER],
    [charts.p95Silence, NUMBER],
    ...outcomes.map(({ name }): Column => [name, NUMBER]),
  ];
  const rows = figures.map((one, place) => ({ one, place })).filter(({ one }) => one.sums.calls > 0);
  return (
    <DataTable columns={columns}>
      {rows.toReversed().map(({ one, place }) => (
        <tr key={one.day}>
          <th scope="row">{formatDate(one.day)}</th>
          {[...cellsOf(one, format), ...outcomes.map(({ values }) => String(values[place] ?? 0))].map(
            (cell, column) => (
              <td key={columns[column + 1]?.[0]} className={NUMBER}>
                {cell ?? texts.figures.none}
              </td>
            ),
          )}
        </tr>
      ))}
    </DataTable>
  );
}
