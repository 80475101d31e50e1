/** The calls of a campaign in the last days, as charts. */
import { Skeleton, Text } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useCallFigures } from '../overview/use-call-figures.ts';
import { later } from '../ui/later.ts';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

const CallCharts = later(() => import('../overview/call-charts.tsx'), 'CallCharts');

const DAYS = 30;
/** The height of the charts. */
const CHARTS_PIXELS = 600;

/** Whether the figures are still loading: the sections below them would move. */
export function useAreChartsPending(campaignId: number): boolean {
  return useCallFigures({ days: DAYS, campaignId }).calls.isPending;
}

/** Says so where there were no calls. */
export function CampaignCharts({ campaignId }: { campaignId: number }): ReactNode {
  const { calls, silence } = useCallFigures({ days: DAYS, campaignId });
  if (!calls.data) return null;
  if (calls.data.days.length === 0)
    return (
      <Section title={texts.charts.title(DAYS)}>
        <Text size="sm" c="dimmed">
          {texts.charts.empty}
        </Text>
      </Section>
    );
  return (
    <Suspense fallback={<Skeleton h={CHARTS_PIXELS} radius="lg" />}>
      <CallCharts
        title={texts.charts.title(DAYS)}
        period={{ ...calls.data, silence: silence.data ?? [] }}
        campaignId={campaignId}
      />
    </Suspense>
  );
}
