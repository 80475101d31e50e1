/** The numbers that none of the user's calls may go to: search, add, take off. */
import type { DoNotCallRecord } from '@parley/contracts';
import { Button, Group, Pagination, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPhoneOff, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { DoNotCallForm } from './do-not-call-form.tsx';
import { DoNotCallTable } from './do-not-call-table.tsx';
import { searchedPart } from './pasted-numbers.rules.ts';

const PER_PAGE = 25;
/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

function AddButton({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <Button
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />}
      data-testid="do-not-call-new"
      onClick={onClick}
    >
      Add numbers
    </Button>
  );
}

function Nothing({ isSearch, onAdd }: { isSearch: boolean; onAdd: () => void }): ReactNode {
  if (isSearch)
    return (
      <Text size="sm" c="dimmed">
        No number on the list has this in it.
      </Text>
    );
  return (
    <EmptyState
      icon={<IconPhoneOff size={24} stroke={1.5} />}
      title="Nobody is on the list"
      text="Whoever asks not to be called belongs here. No call of yours goes to these numbers, whether from a campaign, from the API or from this page. It counts at once."
    >
      <AddButton onClick={onAdd} />
    </EmptyState>
  );
}

interface ListProps {
  rows: readonly DoNotCallRecord[];
  total: number;
  page: number;
  onPage: (page: number) => void;
}

function List({ rows, total, page, onPage }: ListProps): ReactNode {
  return (
    <>
      <DoNotCallTable entries={rows} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {total === 1 ? '1 number' : `${total.toLocaleString('en')} numbers`}
        </Text>
        {total > PER_PAGE && (
          <Pagination size="sm" total={Math.ceil(total / PER_PAGE)} value={page} onChange={onPage} />
        )}
      </Group>
    </>
  );
}

/** The page at `/do-not-call`. */
export function DoNotCallPage(): ReactNode {
  const trpc = useTRPC();
  const [filter, setFilter] = useState({ number: '', page: 1 });
  const [number] = useDebouncedValue(searchedPart(filter.number), TYPING_PAUSE_MS);
  const [isOpen, dialog] = useDisclosure(false);
  const list = useQuery({
    ...trpc.doNotCall.list.queryOptions({
      page: filter.page,
      per_page: PER_PAGE,
      ...(number && { phone_number: number }),
    }),
    placeholderData: keepPreviousData,
  });
  const isEmpty = list.data?.total === 0 && number === '';
  return (
    <>
      <PageHeader
        title="Do not call"
        subtitle="Numbers that no call of yours goes to."
        actions={list.data && !isEmpty && <AddButton onClick={dialog.open} />}
      />
      <Stack gap="md">
        {!isEmpty && (
          <search>
            <TextInput
              label="Number"
              placeholder="Any part of it"
              type="search"
              inputMode="tel"
              maw="18rem"
              value={filter.number}
              data-testid="do-not-call-search"
              onChange={({ currentTarget: { value } }) => setFilter({ number: value, page: 1 })}
            />
          </search>
        )}
        <QueryView query={list} pending={<Skeleton h={240} radius="lg" />}>
          {(data) =>
            data.total === 0 ? (
              <Nothing isSearch={!isEmpty} onAdd={dialog.open} />
            ) : (
              <List {...data} page={filter.page} onPage={(page) => setFilter({ ...filter, page })} />
            )
          }
        </QueryView>
      </Stack>
      <Dialog title="Do not call" isOpen={isOpen} onClose={dialog.close}>
        <DoNotCallForm onDone={dialog.close} />
      </Dialog>
    </>
  );
}
