/** The page with the editor for a new assistant. */
import { Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { BackLink, LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import {
  type AssistantDraft,
  type AssistantLookups,
  newAssistantBody,
  newDraft,
} from './editor/assistant-draft.ts';
import { AssistantEditor, type EditorSave } from './editor/assistant-editor.tsx';
import type { EditorTab } from './editor/editor-search.rules.ts';
import { faultsOfFields } from './editor/editor-tabs.rules.ts';
import { useAssistantDraft } from './editor/use-assistant-draft.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/assistants/new');

/** Opens the page of the assistant once it has been created. */
function useCreate(): EditorSave {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = route.useNavigate();
  const create = useMutation({
    mutationFn: ({ draft, before }: { draft: AssistantDraft; before: AssistantDraft }) =>
      client.assistants.create.mutate(newAssistantBody(draft, before)),
    onSuccess: async ({ id }) => {
      await refresh('assistants');
      await navigate({ to: '/assistants/$assistantId', params: { assistantId: id } });
    },
  });
  return {
    error: create.error,
    isPending: create.isPending,
    run: (draft, before) =>
      create.mutateAsync({ draft, before }).then(
        () => ({ saved: draft }),
        (error: unknown) => ({ errors: faultsOfFields(firstMessages(readRequestError(error).fields)) }),
      ),
  };
}

function NewAssistant({ lookups }: { lookups: AssistantLookups }): ReactNode {
  const { tab = 'conversation' } = route.useSearch();
  const navigate = route.useNavigate();
  const initial = useMemo(
    () => newDraft(lookups, Intl.DateTimeFormat().resolvedOptions().timeZone),
    [lookups],
  );
  const showTab = (next: EditorTab): void =>
    inBackground(
      navigate({ search: next === 'conversation' ? {} : { tab: next }, replace: true, resetScroll: false }),
    );
  const tabs = { tab: tab === 'tools' ? 'conversation' : tab, onTab: showTab };
  const draft = useAssistantDraft(initial, tabs);
  return (
    <AssistantEditor
      draft={draft}
      lookups={lookups}
      {...tabs}
      save={useCreate()}
      secondary={
        <LinkButton to="/assistants" variant="default">
          {texts.create.cancel}
        </LinkButton>
      }
    />
  );
}

/** The page at `/assistants/new`. */
export function NewAssistantPage(): ReactNode {
  const trpc = useTRPC();
  const lookups = useQuery(trpc.lookups.all.queryOptions());
  return (
    <>
      <PageHeader
        title={texts.create.title}
        back={<BackLink to="/assistants">{texts.create.back}</BackLink>}
        subtitle={texts.create.subtitle}
      />
      <QueryView query={lookups} pending={<Skeleton h={480} radius="lg" />}>
        {(data) => <NewAssistant lookups={data} />}
      </QueryView>
    </>
  );
}
