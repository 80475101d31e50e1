/** The list of written conversations: filters in the URL, pages. */
import type { WrittenConversationSummary } from '@parley/contracts';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { hasFilters, type SearchChanges, withoutUndefined } from '../client/search-values.rules.ts';
import { CodeLine } from '../ui/code-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ConversationFilterBar } from './conversation-filter-bar.tsx';
import { conversationQuery, type ConversationSearch } from './conversation-search.rules.ts';
import { ConversationsTable } from './conversations-table.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/conversations');

const PER_PAGE = 25;
/** How often the list is renewed while it is open, milliseconds. */
const RENEWAL_MS = 5_000;

const ICON = <IconMessages size={24} stroke={1.5} />;

function NoConversations({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState icon={ICON} {...texts.list.noMatch} />;
  const { title, text, command, commandLabel } = texts.list.empty;
  return (
    <EmptyState icon={ICON} title={title} text={text}>
      <CodeLine code={command(location.origin)} label={commandLabel} />
    </EmptyState>
  );
}

interface ConversationListProps {
  rows: readonly WrittenConversationSummary[];
  total: number;
  page: number;
  onPage: (page: number, isCorrection?: boolean) => void;
}

function ConversationList({ rows, total, page, onPage }: ConversationListProps): ReactNode {
  return (
    <>
      <ConversationsTable conversations={rows} />
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed" data-testid="conversation-total">
          {texts.list.total(total)}
        </Text>
        <Pages
          total={Math.ceil(total / PER_PAGE)}
          current={page}
          isEmpty={rows.length === 0}
          onPage={onPage}
        />
      </Group>
    </>
  );
}

/** The page at `/conversations`. */
export function ConversationsPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const conversations = useQuery({
    ...trpc.writtenConversations.list.queryOptions({ ...conversationQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  const show = (changes: SearchChanges<ConversationSearch>, isPage: boolean): void =>
    inBackground(
      navigate({
        search: (before) => withoutUndefined<ConversationSearch>({ ...before, page: undefined, ...changes }),
        replace: !isPage,
      }),
    );
  const isEmpty = conversations.data?.total === 0 && !hasFilters(search);
  return (
    <>
      <PageHeader title={texts.list.title} subtitle={texts.list.subtitle} />
      {!isEmpty && <ConversationFilterBar search={search} onChange={(changes) => show(changes, false)} />}
      <QueryView query={conversations} pending={<Skeleton h={360} radius="lg" />}>
        {({ rows, total }) =>
          total === 0 ? (
            <NoConversations isFiltered={!isEmpty} />
          ) : (
            <ConversationList
              rows={rows}
              total={total}
              page={search.page ?? 1}
              onPage={(page, isCorrection = false) => show({ page }, !isCorrection)}
            />
          )
        }
      </QueryView>
    </>
  );
}
