/** One row of a table of calls. */
import type { CallLanes as Lanes, CallSummary } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccountZone } from '../session/use-account-zone.ts';
import { instantOfLocal } from '../ui/format.rules.ts';
import { Instant } from '../ui/instant.tsx';
import table from '../ui/data-table.module.css';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { CallCostCell } from './call-cost-cell.tsx';
import type { ChosenColumn } from './call-columns.rules.ts';
import { CallDuration } from './call-duration.tsx';
import { CallLanes } from './call-lanes.tsx';
import { CallState } from './call-state.tsx';
import classes from './calls-table.module.css';
import { customerLabel } from './customer-label.rules.ts';
import { texts } from './texts.ts';

type CellProps = Pick<CallRowProps, 'call' | 'lanes'>;

function StartedCell({ call }: CellProps): ReactNode {
  const zone = useAccountZone();
  return <Instant at={instantOfLocal(call.created_at, zone)} />;
}

/** The class and the content of the cells of each column that can be hidden. */
export const CELLS: Record<
  ChosenColumn,
  readonly [className: string | undefined, Cell: (props: CellProps) => ReactNode]
> = {
  disposition: [`${table['mediumOnly']} ${table['wrap']}`, ({ call }) => call.disposition ?? '–'],
  assistant: [`${table['wideOnly']} ${table['wrap']}`, ({ call }) => call.assistant_name],
  campaign: [`${table['wideOnly']} ${table['wrap']}`, ({ call }) => call.campaign_name ?? '–'],
  type: [table['mediumOnly'], ({ call }) => texts.types[call.type]],
  duration: [table['number'], ({ call }) => <CallDuration call={call} />],
  lanes: [table['wideOnly'], ({ lanes }) => <CallLanes lanes={lanes} />],
  cost: [`${table['number']} ${table['mediumOnly']}`, ({ call }) => <CallCostCell cost={call.total_cost} />],
  started: [`${table['minor']} ${table['mediumOnly']}`, StartedCell],
};

interface CallRowProps {
  call: CallSummary;
  lanes: Lanes | undefined;
  isNew: boolean;
  columns: readonly ChosenColumn[];
  /** Absent: the whole row is the link to the call. */
  choosing?: { isChosen: boolean; onChoose: () => void } | undefined;
}

/** Where rows can be chosen, the link is only the number; it holds the focus for the arrow keys. */
export function CallRow({ call, lanes, isNew, columns, choosing }: CallRowProps): ReactNode {
  const zone = useAccountZone();
  return (
    <tr
      className={isNew ? classes['arrived'] : undefined}
      data-testid="call-row"
      data-call-id={call.id}
      data-chosen={choosing?.isChosen}
      onClick={choosing?.onChoose}
    >
      <td>
        <CallState call={call} />
      </td>
      <td className={table['wrap']}>
        <Link
          to="/calls/$callId"
          params={{ callId: call.id }}
          className={(choosing ? classes['numberLink'] : table['rowLink']) ?? ''}
          aria-current={choosing?.isChosen ? 'true' : undefined}
          onClick={(event) => event.stopPropagation()}
        >
          <PhoneNumber number={customerLabel(call)} />
        </Link>
        <div className={`${table['under']} ${classes['narrowOnly']}`}>{call.assistant_name}</div>
        <div className={`${table['under']} ${table['narrowOnly']}`}>
          <Instant at={instantOfLocal(call.created_at, zone)} />
        </div>
      </td>
      {columns.map((column) => {
        const [className, Cell] = CELLS[column];
        return (
          <td key={column} className={className}>
            <Cell call={call} lanes={lanes} />
          </td>
        );
      })}
    </tr>
  );
}
