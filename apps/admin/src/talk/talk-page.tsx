/** A page to talk with an assistant through the browser's microphone, without a phone. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TalkPanel } from './talk-panel.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/assistants/$assistantId/talk');

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
          <TalkPanel assistantId={assistantId} assistantName={name} />
        </>
      )}
    </QueryView>
  );
}
