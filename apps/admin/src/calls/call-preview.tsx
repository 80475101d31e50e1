/** The panel beside the table of calls: the chosen call in short. */
import type { CallDetail } from '@parley/contracts';
import { CloseButton, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useId } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useAccountZone } from '../session/use-account-zone.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { instantOfLocal } from '../ui/format.rules.ts';
import { FullInstant } from '../ui/instant.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { CallDuration } from './call-duration.tsx';
import classes from './call-preview.module.css';
import { describeReason } from './call-reason.rules.ts';
import { CallState } from './call-state.tsx';
import { customerLabel } from './customer-label.rules.ts';
import { describeValue, filledEntries } from './describe-value.rules.ts';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const RecordingPlayer = later(() => import('./recording-player.tsx'), 'RecordingPlayer');

/** While the arrow keys move the choice, no call is loaded. */
const REST_MS = 150;
/** The beginning of the conversation. */
const TURNS = 6;

function nothing(): void {
  // The preview neither seeks nor follows the player.
}

function Turns({ call }: { call: CallDetail }): ReactNode {
  const hidden = call.turns.length - TURNS;
  if (call.turns.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {call.outcome === null ? texts.transcript.live : texts.transcript.empty}
      </Text>
    );
  return (
    <div data-testid="preview-turns">
      <dl className={classes['turns']}>
        {call.turns.slice(0, TURNS).map((turn, index) => (
          <div key={index} data-side={turn.sender}>
            <dt>{turn.sender === 'bot' ? call.assistant_name : texts.customer}</dt>
            <dd>{turn.text}</dd>
          </div>
        ))}
      </dl>
      {hidden > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {texts.preview.more(hidden)}
        </Text>
      )}
    </div>
  );
}

function previewFacts(call: CallDetail, zone: string): Fact[] {
  return [
    [texts.facts.reason, call.ended_reason && describeReason(call.ended_reason)],
    [texts.facts.assistant, call.assistant_name],
    ...(call.campaign_name ? [[texts.facts.campaign, call.campaign_name] as const] : []),
    [texts.facts.placed, <FullInstant key="placed" at={instantOfLocal(call.created_at, zone)} />],
    [texts.facts.duration, <CallDuration key="duration" call={call} />],
  ];
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Call({ call }: { call: CallDetail }): ReactNode {
  const zone = useAccountZone();
  const evaluation = filledEntries(call.evaluation);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <CallState call={call} />
        <LinkButton
          to="/calls/$callId"
          params={{ callId: call.id }}
          size="xs"
          variant="default"
          data-testid="preview-open"
        >
          {texts.preview.open}
        </LinkButton>
      </Group>
      <Facts facts={previewFacts(call, zone)} />
      {call.recording_url && (
        <Suspense fallback={<Skeleton h={150} />}>
          <div className={classes['player']}>
            <RecordingPlayer
              url={call.recording_url}
              assistantName={call.assistant_name}
              onReady={nothing}
              onPosition={nothing}
            />
          </div>
        </Suspense>
      )}
      <Part title={texts.page.conversation}>
        <Turns call={call} />
      </Part>
      {evaluation.length > 0 && (
        <Part title={texts.page.evaluation}>
          <Facts facts={evaluation.map(([name, value]) => [name, describeValue(value)])} />
        </Part>
      )}
    </Stack>
  );
}

/** Loads the call as soon as the choice rests. */
export function CallPreview({ callId, onClose }: { callId: number; onClose: () => void }): ReactNode {
  const trpc = useTRPC();
  const titleId = useId();
  const [restingId] = useDebouncedValue(callId, REST_MS, { leading: true });
  const isResting = restingId === callId;
  const call = useQuery(trpc.calls.get.queryOptions(isResting ? { id: callId } : skipToken));
  return (
    <Paper
      component="aside"
      withBorder
      radius="lg"
      className={classes['preview'] ?? ''}
      aria-labelledby={titleId}
      data-testid="call-preview"
    >
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Title order={2} size="h5" id={titleId}>
          {call.data ? <PhoneNumber number={customerLabel(call.data)} /> : texts.page.title(callId)}
        </Title>
        <CloseButton aria-label={texts.preview.close} onClick={onClose} />
      </Group>
      <QueryView query={call} pending={<Skeleton h={320} />}>
        {(data) => <Call key={data.id} call={data} />}
      </QueryView>
    </Paper>
  );
}
