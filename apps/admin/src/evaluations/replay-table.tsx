/** The turns of a recorded caller with the recorded answers and those of now, side by side. */
import type { SuiteConversationRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { texts } from './texts.ts';

const words = texts.replay;

const COLUMNS: readonly Column[] = [[words.columns.caller], [words.columns.recorded], [words.columns.now]];

/** The first row is what the assistants said before the caller spoke. */
export function ReplayTable({
  replay,
}: {
  replay: NonNullable<SuiteConversationRecord['replay']>;
}): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {replay.map(({ caller, recorded, now }, index) => (
        // Turns do not move.
        // oxlint-disable-next-line no-array-index-key
        <tr key={index} data-testid="replay-row">
          <td className={table['wrap']}>{caller ?? <span className={table['minor']}>{words.first}</span>}</td>
          <td className={table['wrap']}>{recorded === '' ? words.silent : recorded}</td>
          <td className={table['wrap']}>{now === '' ? words.silent : now}</td>
        </tr>
      ))}
    </DataTable>
  );
}
