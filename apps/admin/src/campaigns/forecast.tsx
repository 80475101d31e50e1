/** The forecast of a campaign, by the same rule that dials; it follows the expectations. No calls are placed. */
import type { CampaignDetail, CampaignForecast } from '@parley/contracts';
import { Alert, Group, List, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { Facts } from '../ui/facts.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { callingHours, finishOf, limitLabel, peopleOf } from './campaign-labels.rules.ts';
import { texts } from './texts.ts';

/** The initial expectations: a third of the people answer and talk for a minute. */
const EXPECTED = { answerPercent: 33, durationSeconds: 60 };
const LONGEST_CALL_SECONDS = 14_400;
/** Pause in typing after which the plan follows, in ms. */
const TYPING_PAUSE_MS = 400;

function costOf(
  { expected_cost: expected, highest_cost: highest }: CampaignForecast,
  format: (amount: number) => string,
): string {
  if (expected === null || highest === null) return texts.forecast.costUnknown;
  return texts.forecast.costUpTo(format(expected), format(highest));
}

function Plan({ plan, campaign }: { plan: CampaignForecast; campaign: CampaignDetail }): ReactNode {
  const { format, isWithoutCurrency } = useAmounts();
  return (
    <Stack gap="sm" data-testid="forecast">
      <Facts
        facts={[
          [texts.forecast.leads, plan.leads.toLocaleString('en')],
          [texts.forecast.calls, plan.calls.toLocaleString('en')],
          [texts.forecast.reached, plan.reached.toLocaleString('en')],
          [
            texts.forecast.concurrent,
            texts.forecast.limited(plan.calls_at_once, limitLabel(plan.limited_by)),
          ],
          [texts.forecast.hours, callingHours(campaign)],
          [
            texts.forecast.finish,
            finishOf(plan, campaign.timezone, peopleOf(plan, campaign.progress.blocked)),
          ],
          [isWithoutCurrency ? texts.forecast.costInPrices : texts.forecast.cost, costOf(plan, format)],
        ]}
      />
      {plan.unreachable.length > 0 && (
        <Alert color="yellow" variant="light" title={texts.forecast.unreachable}>
          <List size="sm">
            {plan.unreachable.map(({ reason, explanation, leads }) => (
              <List.Item key={reason}>
                {leads.toLocaleString('en')}: {explanation}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}

interface ForecastProps {
  campaign: CampaignDetail;
  /** Shown below the forecast; `isPending` while its first figures are not there yet. */
  children: (isPending: boolean) => ReactNode;
}

/** Two expectations and the resulting forecast. */
export function Forecast({ campaign, children }: ForecastProps): ReactNode {
  const trpc = useTRPC();
  const [expected, setExpected] = useState(EXPECTED);
  const [asked] = useDebouncedValue(expected, TYPING_PAUSE_MS);
  const { blocked } = campaign.progress;
  const plan = useQuery({
    ...trpc.campaigns.forecast.queryOptions({
      id: campaign.id,
      question: {
        answer_rate: asked.answerPercent / 100,
        average_duration_seconds: asked.durationSeconds,
        ring_seconds: 25,
      },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="md">
      {!plan.isError && (
        <Skeleton visible={!plan.data}>
          <Text fw={500} data-testid="start-people">
            {plan.data ? texts.start.people(peopleOf(plan.data, blocked), plan.data.leads) : ' '}
          </Text>
        </Skeleton>
      )}
      <Text size="sm">{texts.forecast.intro}</Text>
      <Group grow>
        <NumberInput
          label={texts.forecast.answerPercent}
          min={0}
          max={100}
          clampBehavior="strict"
          allowDecimal={false}
          value={expected.answerPercent}
          onChange={(value) => setExpected({ ...expected, answerPercent: Number(value) })}
        />
        <NumberInput
          label={texts.forecast.durationSeconds}
          min={1}
          max={LONGEST_CALL_SECONDS}
          allowDecimal={false}
          value={expected.durationSeconds}
          onChange={(value) => setExpected({ ...expected, durationSeconds: Math.max(1, Number(value)) })}
        />
      </Group>
      <QueryView query={plan} pending={<Skeleton h={160} radius="md" />}>
        {(data) => <Plan plan={data} campaign={campaign} />}
      </QueryView>
      {children(plan.isPending)}
    </Stack>
  );
}
