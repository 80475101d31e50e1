/** A page to talk with an assistant through the browser's microphone, without a phone. */
import { Paper, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RecognitionNote } from './recognition-note.tsx';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import classes from './talk-page.module.css';
import { TalkPanel } from './talk-panel.tsx';
import { texts } from './texts.ts';
import { useTalk } from './use-talk.ts';

const route = getRouteApi('/shell/assistants/$assistantId/talk');

function StoredAssistantTalk({ id, name }: { id: number; name: string }): ReactNode {
  const client = useTRPCClient();
  const talk = useTalk(() => client.calls.startWebCall.mutate({ assistant_id: id }));
  return (
    <Paper withBorder radius="lg" className={classes['card'] ?? ''}>
      <TalkPanel talk={talk} assistantName={name} preparation={<RecognitionNote assistantId={id} />} />
    </Paper>
  );
}

/** The page at `/assistants/<id>/talk`. */
export function TalkPage(): ReactNode {
  const trpc = useTRPC();
  const { assistantId } = route.useParams();
  const assistant = useQuery(trpc.assistants.get.queryOptions({ id: assistantId }));
  return (
    <QueryView
      query={assistant}
      pending={<Skeleton h={420} radius="lg" />}
      failureHeader={<PageHeader title={texts.page.title} />}
    >
      {({ name }) => (
        <>
          <PageHeader
            title={texts.page.titleWith(name)}
            back={
              <BackLink to="/assistants/$assistantId" params={{ assistantId }}>
                {name}
              </BackLink>
            }
          />
          <StoredAssistantTalk id={assistantId} name={name} />
        </>
      )}
    </QueryView>
  );
}
