/** One assistant: the editor of its settings, a test call and a conversation in the browser. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Button, Skeleton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconMicrophone } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { BackLink, LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import columns from '../ui/two-columns.module.css';
import { AssistantActions } from './assistant-actions.tsx';
import classes from './assistant-page.module.css';
import { AssistantState } from './assistant-state.tsx';
import { DockedDraftTalk, DraftTalkDrawer } from './draft-talk.tsx';
import {
  type AssistantDraft,
  type AssistantLookups,
  changesBody,
  draftOf,
} from './editor/assistant-draft.ts';
import { AssistantEditor, type EditorSave } from './editor/assistant-editor.tsx';
import type { EditorTab } from './editor/editor-search.rules.ts';
import { faultsOfFields } from './editor/editor-tabs.rules.ts';
import { useAssistantDraft } from './editor/use-assistant-draft.ts';
import { texts } from './texts.ts';
import { useDraftTalk } from './use-draft-talk.ts';
import { later } from '../ui/later.ts';

const AssistantAside = later(() => import('./aside/assistant-aside.tsx'), 'AssistantAside');
const RecognitionNote = later(() => import('../talk/recognition-note.tsx'), 'RecognitionNote');
const RecordedPhrasesSection = later(
  () => import('./recorded-phrases/recorded-phrases-section.tsx'),
  'RecordedPhrasesSection',
);
const ToolsSection = later(() => import('./tools/tools-section.tsx'), 'ToolsSection');

const route = getRouteApi('/shell/assistants/$assistantId');

/** Where the page has two columns; see two-columns.module.css. */
const WIDE = '(width > 68em)';

const ASSISTANTS_LINK = <BackLink to="/assistants">{texts.page.back}</BackLink>;

interface HeaderProps {
  assistant: AssistantDetailsRecord;
  /** Opens the drawer; absent where the panel is docked. */
  onTalk: (() => void) | undefined;
}

function Header({ assistant, onTalk }: HeaderProps): ReactNode {
  return (
    <PageHeader
      title={assistant.name}
      back={ASSISTANTS_LINK}
      subtitle={
        <>
          {texts.page.subtitle(texts.directions[assistant.type], assistant.id)}{' '}
          <AssistantState status={assistant.status} />
        </>
      }
      actions={
        <>
          <LinkButton to="/calls" search={{ assistant: assistant.id }} variant="default">
            {texts.page.calls}
          </LinkButton>
          <AssistantActions assistant={assistant} />
          {onTalk && (
            <Button
              leftSection={<IconMicrophone size={18} stroke={1.8} aria-hidden />}
              onClick={onTalk}
              data-testid="talk-open"
            >
              {texts.page.talk}
            </Button>
          )}
        </>
      }
    />
  );
}

interface Edited {
  draft: AssistantDraft;
  before: AssistantDraft;
}

function useSave(assistant: AssistantDetailsRecord): EditorSave {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  const { id } = assistant;
  const save = useMutation({
    mutationFn: ({ draft, before }: Edited) =>
      client.assistants.update.mutate({ id, changes: changesBody(draft, before, assistant) }),
    onSuccess: (record) => {
      queryClient.setQueryData(trpc.assistants.get.queryKey({ id }), record);
      inBackground(refresh('assistants', 'campaigns', 'lookups', 'phoneNumbers', 'recordedPhrases'));
    },
  });
  return {
    error: save.error,
    isPending: save.isPending,
    run: (draft, before) =>
      save.mutateAsync({ draft, before }).then(
        (record) => ({ saved: draftOf(record) }),
        (error: unknown) => ({ errors: faultsOfFields(firstMessages(readRequestError(error).fields)) }),
      ),
  };
}

interface AssistantDetailsProps {
  assistant: AssistantDetailsRecord;
  lookups: AssistantLookups;
}

function AssistantDetails({ assistant, lookups }: AssistantDetailsProps): ReactNode {
  const { tab = 'conversation' } = route.useSearch();
  const navigate = route.useNavigate();
  const initial = useMemo(() => draftOf(assistant), [assistant]);
  const save = useSave(assistant);
  const showTab = (next: EditorTab): void =>
    inBackground(
      navigate({ search: next === 'conversation' ? {} : { tab: next }, replace: true, resetScroll: false }),
    );
  const tabs = { tab, onTab: showTab };
  const draft = useAssistantDraft(initial, tabs);
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const draftTalk = useDraftTalk({ assistant, lookups, draft, onFaults: drawer.close });
  const panel = { draftTalk, assistantId: assistant.id, assistantName: assistant.name };
  return (
    <>
      <Header assistant={assistant} onTalk={isWide ? undefined : drawer.open} />
      {!isWide && <DraftTalkDrawer {...panel} isOpen={isDrawerOpen} onClose={drawer.close} />}
      <div className={columns['columns']}>
        <AssistantEditor
          draft={draft}
          lookups={lookups}
          assistant={assistant}
          {...tabs}
          save={save}
          tools={<ToolsSection assistant={assistant} />}
          recognition={<RecognitionNote assistantId={assistant.id} />}
          recordings={<RecordedPhrasesSection assistantId={assistant.id} />}
        />
        <div className={`${columns['side']} ${classes['docked']}`}>
          {isWide && <DockedDraftTalk {...panel} />}
          <Suspense fallback={<Skeleton h={440} radius="lg" />}>
            <AssistantAside assistant={assistant} lookups={lookups} />
          </Suspense>
        </div>
      </div>
    </>
  );
}

/** The page at `/assistants/<id>`. */
export function AssistantPage(): ReactNode {
  const trpc = useTRPC();
  const { assistantId } = route.useParams();
  const assistant = useQuery(trpc.assistants.get.queryOptions({ id: assistantId }));
  const lookups = useQuery(trpc.lookups.all.queryOptions());
  const header = <PageHeader title={texts.page.title(assistantId)} back={ASSISTANTS_LINK} />;
  const pending = <Skeleton h={420} radius="lg" />;
  return (
    <QueryView query={assistant} pending={pending} failureHeader={header}>
      {(data) => (
        <QueryView query={lookups} pending={pending} failureHeader={header}>
          {(lists) => <AssistantDetails key={data.id} assistant={data} lookups={lists} />}
        </QueryView>
      )}
    </QueryView>
  );
}
