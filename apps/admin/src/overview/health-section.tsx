/** The health of processes and trunks. */
import { Alert, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ALONE, useTRPC } from '../client/admin-client.ts';
import { Facts } from '../ui/facts.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { type Health, HEALTH_RENEWAL_MS, healthProblems } from './health.rules.ts';
import { texts } from './texts.ts';

function State({ health }: { health: Health }): ReactNode {
  const { voice_processes: voice, active_calls: calls, capacity, workers } = health.processes;
  const paused = health.trunks.filter(({ state }) => state === 'paused').length;
  return (
    <Stack gap="sm">
      {healthProblems(health).map((problem) => (
        <Alert key={problem} color="red" variant="light" role="alert">
          {problem}
        </Alert>
      ))}
      <Facts
        layout="columns"
        facts={[
          [texts.health.voice, voice],
          [texts.health.capacity, texts.health.ofCapacity(calls, capacity)],
          [texts.health.workers, workers],
          [texts.health.trunks, paused],
        ]}
      />
    </Stack>
  );
}

/** Renews itself. */
export function HealthSection(): ReactNode {
  const health = useQuery({
    ...useTRPC().overview.health.queryOptions(undefined, ALONE),
    refetchInterval: HEALTH_RENEWAL_MS,
  });
  return (
    <Section title={texts.health.title}>
      <QueryView query={health} pending={<Skeleton h={48} />}>
        {(data) => <State health={data} />}
      </QueryView>
    </Section>
  );
}
