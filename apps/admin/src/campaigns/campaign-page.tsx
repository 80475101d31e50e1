/** One campaign: start and stop, progress, charts, leads and imports. */
import type { CampaignDetail } from '@parley/contracts';
import { Alert, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CallsInProgress } from '../calls/calls-in-progress.tsx';
import { useTRPC } from '../client/admin-client.ts';
import { ImportsTable } from '../imports/imports-table.tsx';
import { Facts, type Fact } from '../ui/facts.tsx';
import { BackLink, LinkButton } from '../ui/link-button.tsx';
import { formatInZone } from '../ui/format.rules.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { CampaignCharts, useAreChartsPending } from './campaign-charts.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignFunnel } from './campaign-funnel.tsx';
import funnel from './campaign-funnel.module.css';
import { CampaignPace } from './campaign-pace.tsx';
import { CampaignDispositions, CampaignOutcomes } from './campaign-outcomes.tsx';
import { callingHours, campaignNow, campaignState } from './campaign-labels.rules.ts';
import { LeadsSection, useAreLeadsPending } from './leads-section.tsx';
import { StartButton } from './start-button.tsx';
import { StopButton } from './stop-button.tsx';
import { texts } from './texts.ts';
import { WeekHours } from './week-hours.tsx';

const route = getRouteApi('/shell/campaigns/$campaignId');

/** How often the counts of a campaign that calls are renewed while the page is open, milliseconds. */
const RENEWAL_MS = 2_000;
/** The interval for other campaigns. The server counts all leads of the campaign each time. */
const RESTING_RENEWAL_MS = 10_000;

function isCalling(campaign: CampaignDetail | undefined): boolean {
  return campaign?.status === 'in-progress' || (campaign?.progress.live_calls ?? 0) > 0;
}

function progressFacts({ progress }: CampaignDetail): Fact[] {
  return [
    [texts.progress.leads, progress.leads.toLocaleString('en')],
    [texts.progress.waiting, (progress.waiting + progress.waiting_to_retry).toLocaleString('en')],
    [texts.progress.live, progress.live_calls.toLocaleString('en')],
    [texts.progress.completed, progress.completed.toLocaleString('en')],
    [texts.progress.missed, progress.reached_max_retries.toLocaleString('en')],
    [texts.progress.blocked, progress.blocked.toLocaleString('en')],
  ];
}

function CampaignProgress({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const { leads, completed, reached_max_retries: missed } = campaign.progress;
  const percent = leads === 0 ? 0 : ((completed + missed) / leads) * 100;
  return (
    <Section title={texts.progress.title}>
      <Stack gap="md">
        <Text fw={500} data-testid="campaign-now">
          {campaignNow(campaign)}
        </Text>
        <Progress value={percent} aria-label={texts.progress.done(Math.floor(percent))} />
        <Facts facts={progressFacts(campaign)} layout="columns" />
        {campaign.waiting_for && (
          <Text size="sm" data-testid="waiting-for">
            {texts.progress.waitingFor[campaign.waiting_for]}
          </Text>
        )}
        <CampaignOutcomes campaign={campaign} />
        <CampaignDispositions campaign={campaign} />
        {campaign.opens_at && !campaign.obstacle && (
          <Alert color="blue" variant="light" title={texts.progress.closed} data-testid="closed-hours">
            {texts.progress.opens(formatInZone(campaign.opens_at, campaign.timezone))}
          </Alert>
        )}
        {campaign.obstacle && (
          <Alert color="yellow" variant="light" title={texts.progress.obstacle} data-testid="obstacle">
            {campaign.obstacle.explanation}
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

function Actions({ campaign }: { campaign: CampaignDetail }): ReactNode {
  return (
    <>
      <LinkButton
        to="/campaigns/$campaignId/import"
        params={{ campaignId: campaign.id }}
        variant="default"
        leftSection={<IconUpload size={18} stroke={1.8} aria-hidden />}
        data-testid="import-leads"
      >
        {texts.page.import}
      </LinkButton>
      <CampaignActions campaign={campaign} />
      <StartButton campaign={campaign} />
      <StopButton campaign={campaign} />
    </>
  );
}

function Campaign({ campaign }: { campaign: CampaignDetail }): ReactNode {
  return (
    <>
      <PageHeader
        title={campaign.name}
        subtitle={texts.page.subtitle(campaignState(campaign), callingHours(campaign))}
        back={<BackLink to="/campaigns">{texts.page.back}</BackLink>}
        actions={<Actions campaign={campaign} />}
      />
      <Stack gap="lg">
        <CampaignProgress campaign={campaign} />
        <CallsInProgress campaignId={campaign.id} />
        <div className={funnel['pair']}>
          <CampaignFunnel campaign={campaign} />
          <WeekHours campaign={campaign} />
          <CampaignPace campaignId={campaign.id} isRunning={campaign.status === 'in-progress'} />
        </div>
        <LeadsSection campaignId={campaign.id} />
        <CampaignCharts campaignId={campaign.id} />
        <ImportsTable campaignId={campaign.id} />
      </Stack>
    </>
  );
}

/** The page at `/campaigns/<id>`. */
export function CampaignPage(): ReactNode {
  const trpc = useTRPC();
  const { campaignId } = route.useParams();
  const areLeadsPending = useAreLeadsPending(campaignId);
  const areChartsPending = useAreChartsPending(campaignId);
  const campaign = useQuery({
    ...trpc.campaigns.get.queryOptions({ id: campaignId }),
    refetchInterval: ({ state }) => (isCalling(state.data) ? RENEWAL_MS : RESTING_RENEWAL_MS),
  });
  return (
    <QueryView
      query={campaign}
      isWaiting={areLeadsPending || areChartsPending}
      pending={<Skeleton h={360} radius="lg" />}
      failureHeader={
        <PageHeader title={texts.page.title} back={<BackLink to="/campaigns">{texts.page.back}</BackLink>} />
      }
    >
      {(data) => <Campaign campaign={data} />}
    </QueryView>
  );
}
