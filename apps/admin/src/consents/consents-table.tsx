/** A page of the records of consent. */
import type { ConsentRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.list.columns.number],
  [texts.list.columns.source],
  [texts.list.columns.text, table['mediumOnly']],
  [texts.list.columns.agreed, table['mediumOnly']],
  [''],
];

function RemoveButton({ number }: { number: string }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.consents.remove.mutate({ phone_number: number });
    await refresh('consents');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(number)}
      question={texts.remove.question(number)}
      text={texts.remove.text}
      keep={texts.remove.keep}
      testId="consent-remove"
      run={remove}
    />
  );
}

/** The newest first. */
export function ConsentsTable({ records }: { records: readonly ConsentRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {records.map((record) => (
        <tr key={record.phone_number} data-testid="consent-row">
          <td>
            <PhoneNumber number={record.phone_number} />
          </td>
          <td className={table['wrap']}>
            {record.source}
            <div className={`${table['under']} ${table['narrowOnly']}`}>
              <Day at={record.consented_at} />
            </div>
          </td>
          <td className={`${table['wrap']} ${table['mediumOnly']}`}>{record.text || '–'}</td>
          <td className={`${table['minor']} ${table['mediumOnly']}`}>
            <Day at={record.consented_at} />
          </td>
          <td className={table['number']}>
            <RowActions>
              <RemoveButton number={record.phone_number} />
            </RowActions>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
