/** What happened in the last days, what happens now, and whether the installation is healthy. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { inBackground } from '../client/in-background.ts';
import { formatDate } from '../ui/format.rules.ts';
import { useAccountZone } from '../session/use-account-zone.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { Segments } from '../ui/segments.tsx';
import { CallCharts } from './call-charts.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HealthSection } from './health-section.tsx';
import { OutcomeTable } from './outcome-table.tsx';
import { readOverviewSearch } from './overview-search.rules.ts';
import { SHORTEST_DAYS } from './overview-queries.ts';
import { useCallFigures } from './use-call-figures.ts';
import { useFirstSteps } from './use-first-steps.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/overview');

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
  const { calls, silence } = useCallFigures({ days });
  const zone = useAccountZone();
  const firstSteps = useFirstSteps();
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={
          calls.data && texts.page.subtitle(formatDate(calls.data.from), formatDate(calls.data.until), zone)
        }
        actions={
          <Segments
            label={texts.page.period}
            options={PERIODS}
            value={String(days)}
            onChange={(value) => inBackground(navigate({ search: readOverviewSearch({ days: value }) }))}
          />
        }
      />
      <QueryView query={calls} pending={<Skeleton h={480} radius="lg" />} isWaiting={firstSteps.isPending}>
        {(data) => (
          <Stack gap="lg">
            {firstSteps.state && <FirstSteps {...firstSteps.state} onHide={firstSteps.hide} />}
            <Figures {...data} />
            {data.days.length === 0 ? (
              <Section title={texts.chart.title}>
                <NoCalls />
              </Section>
            ) : (
              <CallCharts title={texts.chart.title} period={{ ...data, silence: silence.data ?? [] }}>
                <OutcomeTable {...data} />
              </CallCharts>
            )}
            <HealthSection />
          </Stack>
        )}
      </QueryView>
    </>
  );
}
