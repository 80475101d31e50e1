/** The own account: password, second factor, time zone and country, listening in, and sessions. */
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { ListeningSetting } from './listening-setting.tsx';
import { PasswordForm } from './password-form.tsx';
import { RegionSettings } from './region-settings.tsx';
import { SecondFactor } from './second-factor.tsx';
import { EndOthersButton, SessionsTable } from './sessions-table.tsx';
import { texts } from './texts.ts';

/** The page at `/account`. */
export function AccountPage(): ReactNode {
  const trpc = useTRPC();
  const password = useQuery(trpc.account.password.queryOptions());
  const secondFactor = useQuery(trpc.account.secondFactor.queryOptions());
  const sessions = useQuery(trpc.account.sessions.queryOptions());
  const announcesListening = useQuery(trpc.account.announcesListening.queryOptions());
  const header = <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />;
  // Together: a section that grows would move those below it.
  if ([password, secondFactor, sessions, announcesListening].some(({ isPending }) => isPending))
    return (
      <>
        {header}
        <Skeleton h={480} radius="lg" />
      </>
    );
  return (
    <>
      {header}
      <Stack gap="lg">
        <Section title={texts.password.title}>
          <QueryView query={password} pending={null}>
            {(state) => <PasswordForm state={state} />}
          </QueryView>
        </Section>
        <Section title={texts.secondFactor.title}>
          <QueryView query={secondFactor} pending={null}>
            {(state) => <SecondFactor state={state} hasPassword={password.data?.is_set ?? true} />}
          </QueryView>
        </Section>
        <Section title={texts.region.title}>
          <RegionSettings />
        </Section>
        <Section title={texts.listening.title}>
          <QueryView query={announcesListening} pending={<Skeleton h={48} radius="lg" />}>
            {(isAnnounced) => <ListeningSetting isAnnounced={isAnnounced} />}
          </QueryView>
        </Section>
        <Section
          title={texts.sessions.title}
          aside={sessions.data && sessions.data.length > 1 && <EndOthersButton />}
        >
          <QueryView query={sessions} pending={null}>
            {(data) => <SessionsTable sessions={data} />}
          </QueryView>
        </Section>
      </Stack>
    </>
  );
}
