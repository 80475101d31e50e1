/** One knowledge base and its documents. */
import type { KnowledgebaseRecord } from '@parley/contracts';
import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { DocumentsSection } from './documents-section.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const BaseForm = later(() => import('./base-form.tsx'), 'BaseForm');

const route = getRouteApi('/shell/knowledge/$knowledgebaseId');

/** While passages are being embedded, milliseconds. */
const REFRESH_MS = 3000;

const BACK = <BackLink to="/knowledge">{texts.base.back}</BackLink>;

function Actions({ base }: { base: KnowledgebaseRecord }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const remove = async (): Promise<void> => {
    await client.knowledgebases.remove.mutate({ id: base.id });
    await navigate({ to: '/knowledge' });
    await refresh('knowledgebases', 'lookups');
  };
  return (
    <>
      <Button variant="default" data-testid="knowledge-rename" onClick={dialog.open}>
        {texts.base.rename}
      </Button>
      <AskFirst
        action={texts.removeBase.action}
        look={{ color: 'red', variant: 'light' }}
        question={texts.removeBase.question(base.name)}
        text={texts.removeBase.text}
        keep={texts.removeBase.keep}
        testId="knowledge-remove"
        run={remove}
      />
      <Dialog title={base.name} isOpen={isOpen} onClose={dialog.close}>
        <BaseForm base={base} onDone={dialog.close} />
      </Dialog>
    </>
  );
}

/** How far the embedding of the passages is, why it stopped, and what it has cost. */
function EmbeddingState({ base }: { base: KnowledgebaseRecord }): ReactNode {
  const { format } = useAmounts();
  const { embedding_status: status, embedding_cost: cost } = base;
  if (status === 'off') return null;
  const state =
    status === 'active'
      ? texts.base.embedding.active(base.chunks_count)
      : texts.base.embedding[status](base.embedded_chunks_count, base.chunks_count);
  const spent = texts.base.embedding.cost(base.embedding_tokens, cost === null ? null : format(cost));
  return (
    <Alert
      variant="light"
      color={status === 'failed' ? 'red' : 'gray'}
      mb="md"
      title={state}
      data-testid="knowledge-embedding-state"
    >
      {base.embedding_error !== null && <Text size="sm">{base.embedding_error}</Text>}
      <Text size="sm" c="dimmed">
        {spent}
      </Text>
    </Alert>
  );
}

/** The page at `/knowledge/<id>`. */
export function KnowledgeBasePage(): ReactNode {
  const trpc = useTRPC();
  const { knowledgebaseId } = route.useParams();
  const base = useQuery(
    trpc.knowledgebases.get.queryOptions(
      { id: knowledgebaseId },
      {
        refetchInterval: ({ state }) => (state.data?.embedding_status === 'processing' ? REFRESH_MS : false),
      },
    ),
  );
  return (
    <QueryView
      query={base}
      pending={<Skeleton h={320} radius="lg" />}
      failureHeader={<PageHeader title={texts.base.title(knowledgebaseId)} back={BACK} />}
    >
      {(data) => (
        <>
          <PageHeader
            title={data.name}
            subtitle={texts.base.facts(data.documents_count, data.assistants_count)}
            back={BACK}
            actions={<Actions base={data} />}
          />
          <EmbeddingState base={data} />
          <DocumentsSection knowledgebaseId={knowledgebaseId} />
        </>
      )}
    </QueryView>
  );
}
