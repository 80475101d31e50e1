/** A page of the do-not-call list. */
import type { DoNotCallRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { TextLink } from '../ui/link-button.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.list.columns.number],
  [texts.list.columns.reason],
  [texts.list.columns.added, table['mediumOnly']],
  [''],
];

function RemoveButton({ entry: { phone_number: number } }: { entry: DoNotCallRecord }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.doNotCall.remove.mutate({ phone_number: number });
    await refresh('doNotCall');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(number)}
      question={texts.remove.question(number)}
      text={texts.remove.text}
      keep={texts.remove.keep}
      testId="do-not-call-remove"
      run={remove}
    />
  );
}

/** The newest first. */
export function DoNotCallTable({ entries }: { entries: readonly DoNotCallRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {entries.map((entry) => (
        <tr key={entry.phone_number} data-testid="do-not-call-row">
          <td>
            <PhoneNumber number={entry.phone_number} />
          </td>
          <td className={table['wrap']}>
            {entry.reason || '–'}
            {entry.call_id !== null && (
              <>
                {' '}
                <TextLink to="/calls/$callId" params={{ callId: entry.call_id }} size="sm">
                  {texts.list.call}
                </TextLink>
              </>
            )}
            <div className={`${table['under']} ${table['narrowOnly']}`}>
              <Day at={entry.created_at} />
            </div>
          </td>
          <td className={`${table['minor']} ${table['mediumOnly']}`}>
            <Day at={entry.created_at} />
          </td>
          <td className={table['number']}>
            <RowActions>
              <RemoveButton entry={entry} />
            </RowActions>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
