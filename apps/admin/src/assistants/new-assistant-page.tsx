/** The page with the form for a new assistant. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { AssistantForm } from './assistant-form.tsx';
import { texts } from './texts.ts';

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
        {(data) => <AssistantForm lookups={data} />}
      </QueryView>
    </>
  );
}
