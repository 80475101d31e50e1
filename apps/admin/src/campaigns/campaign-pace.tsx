/** How many calls a campaign began in each minute of the last hour, and how many its limits allow. */
import type { CampaignPace as Pace } from '@parley/contracts';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DayChart } from '../charts/day-chart.tsx';
import { useTRPC } from '../client/admin-client.ts';
import { formatMinute } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import { limitLabel } from './campaign-labels.rules.ts';
import { texts } from './texts.ts';

/** How often the chart is renewed while the page is open, milliseconds. */
const RENEWAL_MS = 15_000;
const HEIGHT = 150;

const minuteLabel = (at: string): string => (at === '' ? '' : formatMinute(at));

function perMinute(calls: number): string {
  return calls.toLocaleString('en', { maximumFractionDigits: calls < 10 ? 1 : 0 });
}

function assumptionOf(pace: Pace): string {
  const places = texts.forecast.limited(pace.calls_at_once, limitLabel(pace.limited_by));
  const seconds = Math.round(pace.call_seconds);
  return pace.measured_calls > 0
    ? texts.pace.measured(places, seconds, pace.measured_calls)
    : texts.pace.assumed(places, seconds);
}

/** Nothing where the campaign neither runs nor called in the last hour. */
export function CampaignPace({
  campaignId,
  isRunning,
}: {
  campaignId: number;
  isRunning: boolean;
}): ReactNode {
  const pace = useQuery({
    ...useTRPC().campaigns.pace.queryOptions({ id: campaignId }),
    refetchInterval: RENEWAL_MS,
  }).data;
  const calls = pace?.minutes.reduce((sum, minute) => sum + minute.calls, 0) ?? 0;
  if (!pace || (!isRunning && calls === 0)) return null;
  const { minutes, expected } = pace;
  return (
    <Section title={texts.pace.title}>
      <DayChart
        title={texts.pace.title}
        kind="lines"
        days={minutes.map(({ at }) => at)}
        label={minuteLabel}
        series={[
          {
            name: texts.pace.started,
            colour: '--mantine-primary-color-filled',
            values: minutes.map((minute) => minute.calls),
          },
          {
            name: texts.pace.expected,
            colour: '--mantine-color-dimmed',
            values: minutes.map(() => expected),
            isExpectation: true,
          },
        ]}
        height={HEIGHT}
        format={perMinute}
        period={texts.pace.hour}
        summary={[texts.pace.mean(perMinute(calls / minutes.length)), perMinute(expected)]}
      />
      <Text size="xs" c="dimmed" mt="xs" data-testid="pace-expected">
        {assumptionOf(pace)}
      </Text>
    </Section>
  );
}
