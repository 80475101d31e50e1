/** One page of calls as a table; each row leads to its call. */
import type { CallLanes as Lanes, CallSummary } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccountZone } from '../session/use-account-zone.ts';
import { formatLocalDateTime } from '../ui/format.rules.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { CallDuration } from './call-duration.tsx';
import { CallLanes, useCallLanes } from './call-lanes.tsx';
import { CallState } from './call-state.tsx';
import classes from './calls-table.module.css';
import { useLiveFeed } from './live-feed.tsx';
import { customerLabel } from './customer-label.rules.ts';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.table.outcome],
  [texts.customer],
  [texts.table.assistant, table['wideOnly']],
  [texts.table.type, table['mediumOnly']],
  [texts.table.duration, table['number']],
  [texts.table.lanes, table['wideOnly']],
  [texts.table.started, table['mediumOnly']],
];

interface CallRowProps {
  call: CallSummary;
  lanes: Lanes | undefined;
  isNew: boolean;
}

function CallRow({ call, lanes, isNew }: CallRowProps): ReactNode {
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
      <td className={`${table['wideOnly']} ${table['wrap']}`}>{call.assistant_name}</td>
      <td className={table['mediumOnly']}>{texts.types[call.type]}</td>
      <td className={table['number']}>
        <CallDuration call={call} />
      </td>
      <td className={table['wideOnly']}>
        <CallLanes lanes={lanes} />
      </td>
      <td className={`${table['minor']} ${table['mediumOnly']}`}>
        <time>{formatLocalDateTime(call.created_at, zone)}</time>
      </td>
    </tr>
  );
}

/** Rows that arrived live are marked for a moment. */
export function CallsTable({ calls }: { calls: readonly CallSummary[] }): ReactNode {
  const { arrivedIds } = useLiveFeed();
  const lanes = useCallLanes(calls);
  return (
    <DataTable columns={COLUMNS}>
      {calls.map((call) => (
        <CallRow key={call.id} call={call} lanes={lanes.get(call.id)} isNew={arrivedIds.has(call.id)} />
      ))}
    </DataTable>
  );
}
