/** The newest leads of a campaign, and the way to all of them. */
import { Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { later } from '../ui/later.ts';
import { TextLink } from '../ui/link-button.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

const LeadsTable = later(() => import('../leads/leads-table.tsx'), 'LeadsTable');

const SHOWN = 10;
/** The height of a row. */
const ROW_PIXELS = 37;
/** How often the leads are renewed while the page is open, milliseconds. */
const RENEWAL_MS = 5_000;

/** The query of the section. */
function newestLeads(trpc: ReturnType<typeof useTRPC>, campaignId: number) {
  return trpc.leads.list.queryOptions({ campaign_id: campaignId, page: 1, per_page: SHOWN });
}

/** Whether the leads are still loading: the sections below them would move. */
export function useAreLeadsPending(campaignId: number): boolean {
  return useQuery(newestLeads(useTRPC(), campaignId)).isPending;
}

/** Refreshes regularly, so that a running campaign can be watched. */
export function LeadsSection({ campaignId }: { campaignId: number }): ReactNode {
  const leads = useQuery({
    ...newestLeads(useTRPC(), campaignId),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  return (
    <Section
      title={texts.leads.title}
      aside={
        <TextLink to="/leads" search={{ campaign: campaignId }} size="sm" data-testid="all-leads">
          {texts.leads.all}
        </TextLink>
      }
    >
      <QueryView query={leads} pending={<Skeleton h={240} radius="lg" />}>
        {({ rows, total }) =>
          total === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.leads.empty}
            </Text>
          ) : (
            <>
              <Suspense fallback={<Skeleton h={(rows.length + 1) * ROW_PIXELS} />}>
                <LeadsTable leads={rows} />
              </Suspense>
              <Text size="sm" c="dimmed" mt="sm">
                {texts.leads.shown(rows.length, total)}
              </Text>
            </>
          )
        }
      </QueryView>
    </Section>
  );
}
