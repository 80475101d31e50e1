/** Webhooks as a table; each row leads to the page of its delivery. */
import type { DeliveryRecord } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeliveryStatus } from '../calls/delivery-attempts.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { Instant } from '../ui/instant.tsx';
import { eventLabel } from './delivery-labels.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;

const COLUMNS: readonly Column[] = [
  [columns.event],
  [columns.status],
  [columns.answer, table['mediumOnly']],
  [columns.attempts, `${table['number']} ${table['wideOnly']}`],
  [columns.created, table['mediumOnly']],
];

function lastAnswer({ last_status: status, attempt_count: attempts }: DeliveryRecord): string {
  if (status !== null) return texts.list.answer(status);
  return attempts > 0 ? texts.list.noAnswer : '–';
}

function DeliveryRow({ delivery }: { delivery: DeliveryRecord }): ReactNode {
  const { id, next_attempt_at: next } = delivery;
  return (
    <tr data-testid="delivery-row" data-status={delivery.status}>
      <td className={`${table['wrap']} ${table['anywhere']}`}>
        <Link to="/webhooks/$deliveryId" params={{ deliveryId: id }} className={table['rowLink'] ?? ''}>
          {eventLabel(delivery.event)}
        </Link>
        <div className={table['under']}>{delivery.url}</div>
      </td>
      <td className={table['wrap']}>
        <DeliveryStatus status={delivery.status} />
        {delivery.status === 'pending' && delivery.attempt_count > 0 && next && (
          <div className={table['under']}>{texts.list.next(formatInstant(next))}</div>
        )}
        <div className={`${table['under']} ${table['narrowOnly']}`}>
          <Instant at={delivery.created_at} />
        </div>
      </td>
      <td className={table['mediumOnly']}>{lastAnswer(delivery)}</td>
      <td className={`${table['number']} ${table['wideOnly']}`}>{delivery.attempt_count}</td>
      <td className={`${table['minor']} ${table['mediumOnly']}`}>
        <Instant at={delivery.created_at} />
      </td>
    </tr>
  );
}

/** One page of them. */
export function DeliveriesTable({ deliveries }: { deliveries: readonly DeliveryRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </DataTable>
  );
}
