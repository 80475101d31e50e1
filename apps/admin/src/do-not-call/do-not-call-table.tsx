/** A page of the do-not-call list. */
import type { DoNotCallRecord } from '@parley/contracts';
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatDay, formatInstant } from '../ui/format.rules.ts';
import { RowActions } from '../ui/row-actions.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.list.columns.number],
  [texts.list.columns.reason],
  [texts.list.columns.added, table['mediumOnly']],
  [''],
];

function RemoveButton({ entry: { phone_number: number } }: { entry: DoNotCallRecord }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const remove = useMutation(
    trpc.doNotCall.remove.mutationOptions({ onSuccess: () => refresh('doNotCall') }),
  );
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(number)}
      look={{ size: 'xs', variant: 'default' }}
      question={texts.remove.question(number)}
      keep={texts.remove.keep}
      testId="do-not-call-remove"
      run={() => remove.mutateAsync({ phone_number: number })}
    >
      <Text size="sm">{texts.remove.text}</Text>
    </AskFirst>
  );
}

/** The newest first. */
export function DoNotCallTable({ entries }: { entries: readonly DoNotCallRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {entries.map((entry) => (
        <tr key={entry.phone_number} data-testid="do-not-call-row">
          <td>{entry.phone_number}</td>
          <td className={table['wrap']}>{entry.reason || '–'}</td>
          <td className={`${table['minor']} ${table['mediumOnly']}`}>
            <time dateTime={entry.created_at} title={formatInstant(entry.created_at)}>
              {formatDay(entry.created_at)}
            </time>
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
