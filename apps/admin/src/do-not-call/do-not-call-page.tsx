/** The do-not-call list: search, add, remove, export and import. */
import { IconPhoneOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { NumberListPage, useNumberFilter } from '../ui/number-list-page.tsx';
import { DoNotCallForm } from './do-not-call-form.tsx';
import { ExportButton, ImportButton } from './file-buttons.tsx';
import { DoNotCallTable } from './do-not-call-table.tsx';
import { texts } from './texts.ts';

/** The page at `/do-not-call`. */
export function DoNotCallPage(): ReactNode {
  const trpc = useTRPC();
  const filter = useNumberFilter();
  const options = trpc.doNotCall.list.queryOptions(filter.query);
  return (
    <NumberListPage
      texts={texts}
      icon={<IconPhoneOff size={24} stroke={1.5} />}
      testId="do-not-call"
      filter={filter}
      list={useQuery({ ...options, placeholderData: keepPreviousData })}
      table={(rows) => <DoNotCallTable entries={rows} />}
      actions={(isEmpty) => (
        <>
          {!isEmpty && <ExportButton phoneNumber={filter.query.phone_number} />}
          <ImportButton />
        </>
      )}
      form={(onDone) => <DoNotCallForm onDone={onDone} />}
    />
  );
}
