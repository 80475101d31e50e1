/** The list of assistants. */
import type { AssistantRecord } from '@parley/contracts';
import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconHeadset, IconMicrophone, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { useDeletions } from '../ui/deletions.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AssistantActions } from './assistant-actions.tsx';
import { assistantKey, searchAssistants } from './assistant-list.rules.ts';
import { AssistantState } from './assistant-state.tsx';
import { type LookupNames, useLookupNames } from './lookup-names.ts';
import { texts as listTexts } from './list/texts.ts';
import { texts } from './texts.ts';

function NewAssistantButton(): ReactNode {
  return (
    <LinkButton
      to="/assistants/new"
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />}
      data-testid="new-assistant"
    >
      {listTexts.new}
    </LinkButton>
  );
}

const COLUMNS: readonly Column[] = [
  [listTexts.columns.name],
  [listTexts.columns.speech, table['wideOnly']],
  [listTexts.columns.number, table['mediumOnly']],
  [listTexts.columns.updated, table['mediumOnly']],
  [''],
];

/** A placeholder while the name is loading, which is null until then. */
function Name({ name }: { name: ReactNode }): ReactNode {
  return name === null ? <Skeleton h="0.7rem" w="8rem" my="0.25rem" /> : name;
}

function AssistantRow({ assistant, names }: { assistant: AssistantRecord; names: LookupNames }): ReactNode {
  const params = { assistantId: assistant.id };
  const number = names.phoneNumber(assistant.phone_number_id);
  return (
    <tr data-testid="assistant-row">
      <td>
        <Link to="/assistants/$assistantId" params={params} className={table['rowLink'] ?? ''}>
          {assistant.name}
        </Link>{' '}
        <AssistantState status={assistant.status} />
        <div className={table['under']}>
          {listTexts.kind(texts.directions[assistant.type], listTexts.modes[assistant.mode])}
        </div>
      </td>
      <td className={`${table['wideOnly']} ${table['wrap']} ${table['roomy']}`}>
        <Name name={names.voice(assistant.voice_id)} />
        <div className={table['under']}>
          <Name name={names.model(assistant.llm_model_id)} />
        </div>
      </td>
      <td className={table['mediumOnly']}>
        <Name name={number === null ? null : <PhoneNumber number={number} />} />
      </td>
      <td className={`${table['minor']} ${table['mediumOnly']}`}>
        <Day at={assistant.updated_at} />
      </td>
      <td className={table['number']}>
        <Group gap="xs" justify="flex-end" wrap="nowrap" className={table['aboveLink'] ?? ''}>
          <LinkButton
            to="/assistants/$assistantId/talk"
            params={params}
            size="xs"
            variant="default"
            leftSection={<IconMicrophone size={14} stroke={1.8} aria-hidden />}
            aria-label={listTexts.talkLabel(assistant.name)}
          >
            {listTexts.talk}
          </LinkButton>
          <Group gap="xs" wrap="nowrap" className={table['wideOnly'] ?? ''}>
            <AssistantActions assistant={assistant} size="xs" />
          </Group>
        </Group>
      </td>
    </tr>
  );
}

function AssistantsTable({ assistants }: { assistants: readonly AssistantRecord[] }): ReactNode {
  const names = useLookupNames();
  const { isDeleted } = useDeletions();
  const [search, setSearch] = useState('');
  const kept = assistants.filter(({ id }) => !isDeleted(assistantKey(id)));
  const found = searchAssistants(kept, search);
  return (
    <Stack gap="md">
      <search>
        <TextInput
          aria-label={listTexts.search}
          placeholder={listTexts.search}
          type="search"
          maw="18rem"
          value={search}
          data-testid="assistant-search"
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </search>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          {listTexts.noMatch}
        </Text>
      ) : (
        <DataTable columns={COLUMNS}>
          {found.map((assistant) => (
            <AssistantRow key={assistant.id} assistant={assistant} names={names} />
          ))}
        </DataTable>
      )}
    </Stack>
  );
}

function NoAssistants(): ReactNode {
  return (
    <EmptyState
      icon={<IconHeadset size={24} stroke={1.5} />}
      title={listTexts.empty.title}
      text={listTexts.empty.text}
    >
      <NewAssistantButton />
    </EmptyState>
  );
}

/** The page at `/assistants`. */
export function AssistantsPage(): ReactNode {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions());
  return (
    <>
      <PageHeader
        title={listTexts.title}
        subtitle={listTexts.subtitle}
        actions={assistants.data && assistants.data.length > 0 && <NewAssistantButton />}
      />
      <QueryView query={assistants} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => (data.length === 0 ? <NoAssistants /> : <AssistantsTable assistants={data} />)}
      </QueryView>
    </>
  );
}
