/** The secret that signs webhooks, and its replacement. */
import type { NewWebhookSecret, WebhookSecret } from '@parley/contracts';
import { Button, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { CodeLine } from '../ui/code-line.tsx';
import { Facts, type Fact } from '../ui/facts.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

const CHOICES = Object.entries(texts.secret.choices).map(([value, label]) => ({ value, label }));
const A_DAY = '24';

function RotateButton({ onMade }: { onMade: (made: NewWebhookSecret) => void }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const [hours, setHours] = useState(A_DAY);
  const rotate = async (): Promise<void> => {
    onMade(await client.webhooks.rotateSecret.mutate({ keep_old_for_hours: Number(hours) }));
    await refresh('webhooks');
  };
  return (
    <AskFirst
      action={texts.secret.rotate}
      question={texts.secret.question}
      text={texts.secret.consequence}
      keep={texts.secret.keep}
      testId="secret-rotate"
      run={rotate}
    >
      <NativeSelect
        mt="md"
        label={texts.secret.hours}
        data={CHOICES}
        value={hours}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
    </AskFirst>
  );
}

function secretFacts({ prefix, old_prefix: old, old_valid_until: until }: WebhookSecret): Fact[] {
  const current: Fact = [texts.secret.current, `${prefix}…`];
  if (old === null || until === null) return [current];
  return [current, [texts.secret.old, texts.secret.until(old, formatInstant(until))]];
}

/** A new secret is shown on the page, not in the dialog, where Escape would lose it. */
export function SecretSection(): ReactNode {
  const secret = useQuery(useTRPC().webhooks.secret.queryOptions());
  const [made, setMade] = useState<string | null>(null);
  return (
    <Section title={texts.secret.title} aside={<RotateButton onMade={({ secret: text }) => setMade(text)} />}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {texts.secret.text}
        </Text>
        {made !== null && (
          <Stack gap="sm" align="flex-start" role="status" data-testid="made-secret">
            <Text size="sm" fw={500}>
              {texts.secret.made}
            </Text>
            <CodeLine code={made} label={texts.secret.label} />
            <Button variant="default" onClick={() => setMade(null)}>
              {texts.secret.done}
            </Button>
          </Stack>
        )}
        <QueryView query={secret} pending={<Skeleton h={40} />}>
          {(data) => <Facts facts={secretFacts(data)} />}
        </QueryView>
      </Stack>
    </Section>
  );
}
