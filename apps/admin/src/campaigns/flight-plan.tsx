/** What a campaign will do, by the rule that dials: asked anew as the expectations change. Nothing is dialed for it. */
import type { CampaignDetail, CampaignForecast } from '@parley/contracts';
import { Alert, Group, List, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Facts } from '../ui/facts.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { QueryView } from '../ui/query-view.tsx';
import { callingHours, limitWords } from './campaign-words.rules.ts';

/** What is expected until the operator says otherwise: a third answers, and talks for a minute. */
const EXPECTED = { answerPercent: 33, durationSeconds: 60 };
const LONGEST_CALL_SECONDS = 14_400;
/** Pause in typing after which the plan follows, in ms. */
const TYPING_PAUSE_MS = 400;

function Plan({ plan, campaign }: { plan: CampaignForecast; campaign: CampaignDetail }): ReactNode {
  return (
    <Stack gap="sm" data-testid="flight-plan">
      <Facts
        facts={[
          ['Leads waiting', plan.leads.toLocaleString('en')],
          ['Calls', plan.calls.toLocaleString('en')],
          ['Reached', plan.reached.toLocaleString('en')],
          ['Calls at once', `${plan.calls_at_once.toLocaleString('en')} (${limitWords(plan.limited_by)})`],
          ['Calling hours', callingHours(campaign)],
          ['Finished', plan.finish_at && formatInstant(plan.finish_at)],
        ]}
      />
      {plan.unreachable.length > 0 && (
        <Alert color="yellow" variant="light" title="Some can never be called">
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

/** Two expectations, and what follows from them. */
export function FlightPlan({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const trpc = useTRPC();
  const [expected, setExpected] = useState(EXPECTED);
  const [asked] = useDebouncedValue(expected, TYPING_PAUSE_MS);
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
      <Text size="sm">From now on, within the calling hours. Expecting that:</Text>
      <Group grow>
        <NumberInput
          label="People who answer, percent"
          min={0}
          max={100}
          clampBehavior="strict"
          allowDecimal={false}
          value={expected.answerPercent}
          onChange={(value) => setExpected({ ...expected, answerPercent: Number(value) })}
        />
        <NumberInput
          label="A conversation, seconds"
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
    </Stack>
  );
}
