/** The records of consent: search, add, remove. */
import { IconFileCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { NumberListPage, useNumberFilter } from '../ui/number-list-page.tsx';
import { ConsentForm } from './consent-form.tsx';
import { ConsentsTable } from './consents-table.tsx';
import { texts } from './texts.ts';

/** The page at `/consents`. */
export function ConsentsPage(): ReactNode {
  const trpc = useTRPC();
  const filter = useNumberFilter();
  const options = trpc.consents.list.queryOptions(filter.query);
  return (
    <NumberListPage
      texts={texts}
      icon={<IconFileCheck size={24} stroke={1.5} />}
      testId="consent"
      filter={filter}
      list={useQuery({ ...options, placeholderData: keepPreviousData })}
      table={(rows) => <ConsentsTable records={rows} />}
      form={(onDone) => <ConsentForm onDone={onDone} />}
    />
  );
}
