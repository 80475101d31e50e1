/** A page of the audit log. */
import { Text } from '@mantine/core';
import type { AuditRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { actorOf, fieldsOf, operationOf, sourceOf } from './audit-labels.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;
const COLUMNS: readonly Column[] = [
  [columns.time, table['mediumOnly']],
  [columns.operation],
  [columns.user, table['mediumOnly']],
  [columns.fields, table['wideOnly']],
  [columns.from, table['wideOnly']],
];

function Operation({ entry }: { entry: AuditRecord }): ReactNode {
  return (
    <Text span inherit {...(entry.outcome === 'refused' && { c: 'red' })}>
      {operationOf(entry)} {entry.object_id !== null && texts.list.object(entry.object_id)}
    </Text>
  );
}

/** The newest first. */
export function AuditTable({ entries }: { entries: readonly AuditRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {entries.map((entry) => (
        <tr key={entry.id} data-testid="audit-row">
          <td className={`${table['minor']} ${table['mediumOnly']}`}>{formatInstant(entry.at)}</td>
          <td className={`${table['wrap']} ${table['roomy']}`}>
            <Operation entry={entry} />
            <div className={`${table['under']} ${table['narrowOnly']}`}>
              {formatInstant(entry.at)} · {actorOf(entry)}
            </div>
            <div className={`${table['under']} ${table['anywhere']} ${table['belowWide']}`}>
              {entry.fields.length === 0
                ? sourceOf(entry)
                : texts.list.details(fieldsOf(entry), sourceOf(entry))}
            </div>
          </td>
          <td className={`${table['wrap']} ${table['anywhere']} ${table['roomy']} ${table['mediumOnly']}`}>
            {actorOf(entry)}
          </td>
          <td className={`${table['wrap']} ${table['anywhere']} ${table['minor']} ${table['wideOnly']}`}>
            {fieldsOf(entry)}
          </td>
          <td className={`${table['minor']} ${table['wideOnly']}`}>{sourceOf(entry)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
