/** The secret that signs the webhooks of assistants and limits, and its replacement. */
import type { WebhookSecret } from '@parley/contracts';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { Facts, type Fact } from '../ui/facts.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { MadeSecret } from './made-secret.tsx';
import { RotateButton } from './rotate-button.tsx';
import { texts } from './texts.ts';

function secretFacts({ prefix, old_prefix: old, old_valid_until: until }: WebhookSecret): Fact[] {
  const current: Fact = [texts.secret.current, `${prefix}…`];
  if (old === null || until === null) return [current];
  return [current, [texts.secret.old, texts.secret.until(old, formatInstant(until))]];
}

/** The section of the page. */
export function SecretSection(): ReactNode {
  const secret = useQuery(useTRPC().webhooks.secret.queryOptions());
  const client = useTRPCClient();
  const refresh = useRefresh();
  const [made, setMade] = useState<string | null>(null);
  const rotate = async (hours: number): Promise<void> => {
    setMade((await client.webhooks.rotateSecret.mutate({ keep_old_for_hours: hours })).secret);
    await refresh('webhooks');
  };
  return (
    <Section title={texts.secret.title} aside={<RotateButton testId="secret-rotate" rotate={rotate} />}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {texts.secret.text}
        </Text>
        {made !== null && <MadeSecret secret={made} onDone={() => setMade(null)} />}
        <QueryView query={secret} pending={<Skeleton h={40} />}>
          {(data) => <Facts facts={secretFacts(data)} />}
        </QueryView>
      </Stack>
    </Section>
  );
}
