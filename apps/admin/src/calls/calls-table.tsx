/** One page of calls as a table; each row leads to its call. */
import type { CallLanes as Lanes, CallSummary } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccountZone } from '../session/use-account-zone.ts';
import { formatLocalDateTime } from '../ui/format.rules.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import type { ChosenColumn } from './call-columns.rules.ts';
import { CallDuration } from './call-duration.tsx';
import { CallLanes, useCallLanes } from './call-lanes.tsx';
import { CallState } from './call-state.tsx';
import classes from './calls-table.module.css';
import { useLiveFeed } from './live-feed.tsx';
import { customerLabel } from './customer-label.rules.ts';
import { texts } from './texts.ts';

interface CallRowProps {
  call: CallSummary;
  lanes: Lanes | undefined;
  isNew: boolean;
  columns: readonly ChosenColumn[];
}

type CellProps = Pick<CallRowProps, 'call' | 'lanes'>;

function StartedCell({ call }: CellProps): ReactNode {
  const zone = useAccountZone();
  return <time>{formatLocalDateTime(call.created_at, zone)}</time>;
}

/** The class and the content of the cells of each column that can be hidden. */
const CELLS: Record<
  ChosenColumn,
  readonly [className: string | undefined, Cell: (props: CellProps) => ReactNode]
> = {
  disposition: [`${table['mediumOnly']} ${table['wrap']}`, ({ call }) => call.disposition ?? '–'],
  assistant: [`${table['wideOnly']} ${table['wrap']}`, ({ call }) => call.assistant_name],
  campaign: [`${table['wideOnly']} ${table['wrap']}`, ({ call }) => call.campaign_name ?? '–'],
  type: [table['mediumOnly'], ({ call }) => texts.types[call.type]],
  duration: [table['number'], ({ call }) => <CallDuration call={call} />],
  lanes: [table['wideOnly'], ({ lanes }) => <CallLanes lanes={lanes} />],
  cost: [`${table['number']} ${table['mediumOnly']}`, ({ call }) => call.total_cost.toFixed(4)],
  started: [`${table['minor']} ${table['mediumOnly']}`, StartedCell],
};

/** The class without the wrapping and the colour of cells. */
const HEADS: Partial<Record<ChosenColumn, string | undefined>> = {
  disposition: table['mediumOnly'],
  assistant: table['wideOnly'],
  campaign: table['wideOnly'],
  started: table['mediumOnly'],
};

function CallRow({ call, lanes, isNew, columns }: CallRowProps): ReactNode {
  const zone = useAccountZone();
  return (
    <tr className={isNew ? classes['arrived'] : undefined} data-testid="call-row" data-call-id={call.id}>
      <td>
        <CallState call={call} />
      </td>
      <td className={table['wrap']}>
        <Link to="/calls/$callId" params={{ callId: call.id }} className={table['rowLink'] ?? ''}>
          <PhoneNumber number={customerLabel(call)} />
        </Link>
        <div className={`${table['under']} ${classes['narrowOnly']}`}>{call.assistant_name}</div>
        <time className={`${table['under']} ${table['narrowOnly']}`}>
          {formatLocalDateTime(call.created_at, zone)}
        </time>
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

interface CallsTableProps {
  calls: readonly CallSummary[];
  columns: readonly ChosenColumn[];
}

/** Rows that arrived live are marked for a moment. */
export function CallsTable({ calls, columns }: CallsTableProps): ReactNode {
  const { arrivedIds } = useLiveFeed();
  const lanes = useCallLanes(columns.includes('lanes') ? calls : []);
  const heads = columns.map((column): Column => [texts.table[column], HEADS[column] ?? CELLS[column][0]]);
  return (
    <DataTable columns={[[texts.table.outcome], [texts.customer], ...heads]}>
      {calls.map((call) => (
        <CallRow
          key={call.id}
          call={call}
          lanes={lanes.get(call.id)}
          isNew={arrivedIds.has(call.id)}
          columns={columns}
        />
      ))}
    </DataTable>
  );
}
