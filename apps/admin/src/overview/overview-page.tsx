/** What happened in the last days, what happens now, and whether the installation is healthy. */
import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { formatDate } from '../ui/format.rules.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { DayChart } from './day-chart.tsx';
import { Figures } from './figures.tsx';
import { HealthSection } from './health-section.tsx';
import { OutcomeTable } from './outcome-table.tsx';
import { daysOf, readOverviewSearch } from './overview-figures.rules.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/overview');

/** How often the figures are renewed, milliseconds. */
const RENEWAL_MS = 30_000;
const SHORTEST_DAYS = 7;

const PERIODS = Object.entries(texts.page.periods).map(([value, label]) => ({ value, label }));

function NoCalls(): ReactNode {
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {texts.chart.empty}
      </Text>
      <LinkButton to="/assistants" variant="default" size="xs">
        {texts.chart.action}
      </LinkButton>
    </Stack>
  );
}

/** The page at `/overview`. */
export function OverviewPage(): ReactNode {
  const { days = SHORTEST_DAYS } = route.useSearch();
  const navigate = route.useNavigate();
  const calls = useQuery({
    ...useTRPC().overview.calls.queryOptions({ days }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={
          calls.data && texts.page.subtitle(formatDate(calls.data.from), formatDate(calls.data.until))
        }
        actions={
          <SegmentedControl
            aria-label={texts.page.period}
            data={PERIODS}
            value={String(days)}
            onChange={(value) => inBackground(navigate({ search: readOverviewSearch({ days: value }) }))}
          />
        }
      />
      <QueryView query={calls} pending={<Skeleton h={480} radius="lg" />}>
        {(data) => (
          <Stack gap="lg">
            <Figures {...data} />
            <Section title={texts.chart.title}>
              {data.days.length === 0 ? (
                <NoCalls />
              ) : (
                <Stack gap="lg">
                  <DayChart days={daysOf(data)} />
                  <OutcomeTable {...data} />
                </Stack>
              )}
            </Section>
            <HealthSection />
          </Stack>
        )}
      </QueryView>
    </>
  );
}
