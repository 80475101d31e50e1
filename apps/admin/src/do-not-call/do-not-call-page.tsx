/** The do-not-call list: search, add, remove. */
import type { DoNotCallRecord } from '@parley/contracts';
import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPhoneOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { DoNotCallForm } from './do-not-call-form.tsx';
import { DoNotCallTable } from './do-not-call-table.tsx';
import { searchedPart } from './pasted-numbers.rules.ts';
import { texts } from './texts.ts';

const PER_PAGE = 25;
/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

function Nothing({ isSearch, onAdd }: { isSearch: boolean; onAdd: () => void }): ReactNode {
  if (isSearch)
    return (
      <Text size="sm" c="dimmed">
        {texts.search.empty}
      </Text>
    );
  return (
    <EmptyState
      icon={<IconPhoneOff size={24} stroke={1.5} />}
      title={texts.empty.title}
      text={texts.empty.text}
    >
      <AddButton label={texts.page.add} testId="do-not-call-new" onClick={onAdd} />
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
          {texts.list.total(total)}
        </Text>
        <Pages total={Math.ceil(total / PER_PAGE)} current={page} onPage={onPage} />
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
        title={texts.page.title}
        subtitle={texts.page.subtitle}
        actions={
          list.data &&
          !isEmpty && <AddButton label={texts.page.add} testId="do-not-call-new" onClick={dialog.open} />
        }
      />
      <Stack gap="md">
        {!isEmpty && (
          <search>
            <TextInput
              label={texts.list.columns.number}
              placeholder={texts.search.placeholder}
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
      <Dialog title={texts.page.title} isOpen={isOpen} onClose={dialog.close}>
        <DoNotCallForm onDone={dialog.close} />
      </Dialog>
    </>
  );
}
