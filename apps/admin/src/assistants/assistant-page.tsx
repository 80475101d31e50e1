/** One assistant: its settings, a test call and a conversation in the browser. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Skeleton } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { BackLink, LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import classes from './assistant-page.module.css';
import { AssistantActions } from './assistant-actions.tsx';
import { AssistantSettings } from './assistant-settings.tsx';
import { AssistantState } from './assistant-state.tsx';
import { CallNumber } from './call-number.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/assistants/$assistantId');

const ASSISTANTS_LINK = <BackLink to="/assistants">{texts.page.back}</BackLink>;

function AssistantDetails({ assistant }: { assistant: AssistantDetailsRecord }): ReactNode {
  return (
    <>
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
            <AssistantActions assistant={assistant} />
            <LinkButton to="/calls" search={{ assistant: assistant.id }} variant="default">
              {texts.page.calls}
            </LinkButton>
            <LinkButton
              to="/assistants/$assistantId/talk"
              params={{ assistantId: assistant.id }}
              leftSection={<IconMicrophone size={18} stroke={1.8} aria-hidden />}
              data-testid="talk-link"
            >
              {texts.page.talk}
            </LinkButton>
          </>
        }
      />
      <div className={classes['columns']}>
        <AssistantSettings assistant={assistant} />
        <CallNumber assistantId={assistant.id} />
      </div>
    </>
  );
}

/** The page at `/assistants/<id>`. */
export function AssistantPage(): ReactNode {
  const trpc = useTRPC();
  const { assistantId } = route.useParams();
  const assistant = useQuery(trpc.assistants.get.queryOptions({ id: assistantId }));
  return (
    <QueryView
      query={assistant}
      pending={<Skeleton h={420} radius="lg" />}
      failureHeader={<PageHeader title={texts.page.title(assistantId)} back={ASSISTANTS_LINK} />}
    >
      {(data) => <AssistantDetails assistant={data} />}
    </QueryView>
  );
}
