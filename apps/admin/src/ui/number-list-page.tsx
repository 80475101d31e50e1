/** A page with a list of phone numbers: search, add in a dialog, page through. */
import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AddButton } from './add-button.tsx';
import { Dialog } from './dialog.tsx';
import { EmptyState } from './empty-state.tsx';
import { PageHeader } from './page-header.tsx';
import { Pages } from './pages.tsx';
import { searchedPart } from './pasted-numbers.rules.ts';
import { QueryView } from './query-view.tsx';

const PER_PAGE = 25;
/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

interface NumberFilter {
  text: string;
  page: number;
  change: (filter: { text: string; page: number }) => void;
  /** What the server is asked for. */
  query: { page: number; per_page: number; phone_number?: string };
}

/** The search and the page of a list, which the page's query depends on. */
export function useNumberFilter(): NumberFilter {
  const [filter, change] = useState({ text: '', page: 1 });
  const [number] = useDebouncedValue(searchedPart(filter.text), TYPING_PAUSE_MS);
  const query = { page: filter.page, per_page: PER_PAGE, ...(number && { phone_number: number }) };
  return { ...filter, change, query };
}

interface NumberListTexts {
  page: { title: string; subtitle: string; add: string };
  search: { placeholder: string; empty: string };
  list: { total: (count: number) => string; columns: { number: string } };
  empty: { title: string; text: string };
}

interface NumberListPageProps<Row> {
  texts: NumberListTexts;
  icon: ReactNode;
  /** Begins the test ids of the button and the search. */
  testId: string;
  filter: NumberFilter;
  list: UseQueryResult<{ rows: Row[]; total: number }, unknown>;
  table: (rows: readonly Row[]) => ReactNode;
  /** Beside the button that adds. */
  actions?: (isEmpty: boolean) => ReactNode;
  form: (onDone: () => void) => ReactNode;
}

interface RowsProps {
  children: ReactNode;
  isEmpty: boolean;
  total: number;
  words: string;
  filter: NumberFilter;
}

function Rows({ children, isEmpty, total, words, filter }: RowsProps): ReactNode {
  return (
    <>
      {children}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {words}
        </Text>
        <Pages
          total={Math.ceil(total / PER_PAGE)}
          current={filter.page}
          isEmpty={isEmpty}
          onPage={(page) => filter.change({ text: filter.text, page })}
        />
      </Group>
    </>
  );
}

type NumberSearchProps = Pick<NumberListPageProps<never>, 'texts' | 'testId' | 'filter'>;

function NumberSearch({ texts, testId, filter }: NumberSearchProps): ReactNode {
  return (
    <search>
      <TextInput
        label={texts.list.columns.number}
        placeholder={texts.search.placeholder}
        type="search"
        inputMode="tel"
        maw="18rem"
        value={filter.text}
        data-testid={`${testId}-search`}
        onChange={({ currentTarget: { value } }) => filter.change({ text: value, page: 1 })}
      />
    </search>
  );
}

/** The page. */
export function NumberListPage<Row>(props: NumberListPageProps<Row>): ReactNode {
  const { texts, icon, testId, filter, list, table, actions, form } = props;
  const [isOpen, dialog] = useDisclosure(false);
  const isEmpty = list.data?.total === 0 && filter.query.phone_number === undefined;
  const add = <AddButton label={texts.page.add} testId={`${testId}-new`} onClick={dialog.open} />;
  const nothing = isEmpty ? (
    <EmptyState icon={icon} title={texts.empty.title} text={texts.empty.text}>
      <Group justify="center">
        {add}
        {actions?.(true)}
      </Group>
    </EmptyState>
  ) : (
    <Text size="sm" c="dimmed">
      {texts.search.empty}
    </Text>
  );
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={texts.page.subtitle}
        actions={
          list.data &&
          !isEmpty && (
            <>
              {actions?.(false)}
              {add}
            </>
          )
        }
      />
      <Stack gap="md">
        {!isEmpty && <NumberSearch texts={texts} testId={testId} filter={filter} />}
        <QueryView query={list} pending={<Skeleton h={240} radius="lg" />}>
          {({ rows, total }) =>
            total === 0 ? (
              nothing
            ) : (
              <Rows isEmpty={rows.length === 0} total={total} filter={filter} words={texts.list.total(total)}>
                {table(rows)}
              </Rows>
            )
          }
        </QueryView>
      </Stack>
      <Dialog title={texts.page.title} isOpen={isOpen} onClose={dialog.close}>
        {form(dialog.close)}
      </Dialog>
    </>
  );
}
