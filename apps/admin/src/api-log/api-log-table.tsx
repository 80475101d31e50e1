/** A page of the API log. */
import { Badge, Code } from '@mantine/core';
import type { ApiRequestRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstantWithSeconds, formatMilliseconds } from '../ui/format.rules.ts';
import { pathOf } from './api-log-search.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;
const COLUMNS: readonly Column[] = [
  [columns.time, table['mediumOnly']],
  [columns.request],
  [columns.status],
  [columns.duration, `${table['number']} ${table['mediumOnly']}`],
  [columns.token, table['mediumOnly']],
  [columns.from, table['wideOnly']],
];

function colorOf({ status, code }: ApiRequestRecord): string {
  return status >= 400 || code !== null ? 'red' : 'gray';
}

function Status({ entry }: { entry: ApiRequestRecord }): ReactNode {
  return (
    <>
      {/* In a narrow cell a badge becomes smaller than its text. */}
      <Badge size="sm" variant="light" color={colorOf(entry)} miw="3rem">
        {entry.status}
      </Badge>
      {entry.code !== null && <div className={table['under']}>{entry.code}</div>}
      {entry.status === 429 && <div className={table['under']}>{texts.list.limited(entry.count)}</div>}
      {!entry.is_complete && <div className={table['under']}>{texts.list.incomplete}</div>}
    </>
  );
}

function RequestRow({ entry }: { entry: ApiRequestRecord }): ReactNode {
  const token = entry.token_name ?? texts.list.token(entry.token_id);
  return (
    <tr data-testid="api-log-row">
      <td className={`${table['minor']} ${table['mediumOnly']}`}>{formatInstantWithSeconds(entry.at)}</td>
      <td className={`${table['wrap']} ${table['anywhere']} ${table['roomy']}`}>
        <Code>{entry.method}</Code> {pathOf(entry)}
        <div className={table['under']}>
          {entry.operation} · {entry.request_id}
        </div>
        <div className={`${table['under']} ${table['narrowOnly']}`}>
          {formatInstantWithSeconds(entry.at)} · {formatMilliseconds(entry.duration_ms)} · {token}
        </div>
      </td>
      <td>
        <Status entry={entry} />
      </td>
      <td className={`${table['number']} ${table['mediumOnly']}`}>{formatMilliseconds(entry.duration_ms)}</td>
      <td className={`${table['wrap']} ${table['anywhere']} ${table['mediumOnly']}`}>
        {token}
        {entry.user_email !== null && <div className={table['under']}>{entry.user_email}</div>}
      </td>
      <td className={`${table['minor']} ${table['wideOnly']}`}>{entry.network_address || '–'}</td>
    </tr>
  );
}

/** The newest first. */
export function ApiLogTable({ entries }: { entries: readonly ApiRequestRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {entries.map((entry) => (
        <RequestRow key={entry.id} entry={entry} />
      ))}
    </DataTable>
  );
}
