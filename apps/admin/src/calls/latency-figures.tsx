/** The waits of a call in figures: a table that is opened on demand. */
import type { CallTurn } from '@parley/contracts';
import { type ReactNode, useState } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatDuration, formatMilliseconds } from '../ui/format.rules.ts';
import classes from './latency-bar.module.css';
import { stageName } from './stage-name.rules.ts';
import { texts } from './texts.ts';
import { waitMs } from './turn-times.rules.ts';

interface LatencyFiguresProps {
  turns: readonly CallTurn[];
  /** The stages of all turns of the call. */
  stages: readonly string[];
}

function Figures({ turns, stages }: LatencyFiguresProps): ReactNode {
  const columns: Column[] = [
    [texts.transcript.turnAt],
    ...stages.map((stage): Column => [stageName(stage), table['number']]),
  ];
  return (
    <DataTable columns={columns}>
      {turns
        .filter((turn) => waitMs(turn) !== null)
        .map(({ start_ms: startMs, latency }) => (
          <tr key={startMs} data-testid="wait-row">
            <td>{formatDuration(startMs / 1_000)}</td>
            {stages.map((stage) => (
              <td key={stage} className={table['number']}>
                {latency[stage] === undefined ? '–' : formatMilliseconds(latency[stage])}
              </td>
            ))}
          </tr>
        ))}
    </DataTable>
  );
}

/** Each figure counts from the end of the customer's speech. */
export function LatencyFigures(props: LatencyFiguresProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes['figures']}
      data-testid="waits"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{texts.transcript.figures}</summary>
      {isOpen && <Figures {...props} />}
    </details>
  );
}
