/** One conversation of a run: what failed, what was said, and the recording of its call. */
import type { SuiteConversationRecord } from '@parley/contracts';
import { Alert, List, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { Bubble } from '../ui/bubble.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatMilliseconds } from '../ui/format.rules.ts';
import { TextLink } from '../ui/link-button.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ReplayTable } from './replay-table.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const words = texts.conversation;

const RecordingPlayer = later(() => import('../calls/recording-player.tsx'), 'RecordingPlayer');

const ignore = (): void => {};

function Verdict({ held }: { held: SuiteConversationRecord }): ReactNode {
  if (held.failures.length === 0) return <Text size="sm">{held.is_passed === true ? words.passed : ''}</Text>;
  return (
    <Alert color="red" variant="light" title={words.failures} data-testid="conversation-failures">
      <List size="sm">
        {held.failures.map((failure) => (
          <List.Item key={failure}>{failure}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function ConversationFacts({ held }: { held: SuiteConversationRecord }): ReactNode {
  const { format } = useAmounts();
  const { call_id: callId } = held;
  return (
    <Facts
      layout="columns"
      facts={[
        [words.facts.latency, held.latency_p95 === null ? null : formatMilliseconds(held.latency_p95)],
        [words.facts.duration, held.duration_ms === null ? null : formatMilliseconds(held.duration_ms)],
        [words.facts.cost, held.cost === null ? null : format(held.cost)],
        [words.facts.ended, held.ended_by && words.endedBy[held.ended_by]],
        ...(callId === null
          ? []
          : ([
              [
                words.facts.call,
                <TextLink key="call" to="/calls/$callId" params={{ callId }} size="sm">
                  {words.call(callId)}
                </TextLink>,
              ],
              [words.facts.outcome, held.call?.outcome ?? null],
            ] as const)),
      ]}
    />
  );
}

function Turns({ held }: { held: SuiteConversationRecord }): ReactNode {
  if (held.turns.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.nothing}
      </Text>
    );
  return (
    <Stack gap="sm">
      {held.turns.map(({ speaker, text }, index) => (
        // Turns do not move.
        // oxlint-disable-next-line no-array-index-key
        <Bubble key={index} side={speaker === 'assistant' ? 'bot' : 'human'} speaker={words.speaker[speaker]}>
          {text}
        </Bubble>
      ))}
    </Stack>
  );
}

function Tools({ held }: { held: SuiteConversationRecord }): ReactNode {
  if (held.tools.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h6">
        {words.tools}
      </Title>
      <List size="sm">
        {held.tools.map(({ name, arguments: given, is_ok: isOk }, index) => (
          // oxlint-disable-next-line no-array-index-key
          <List.Item key={index}>
            {`${name} ${JSON.stringify(given)}: ${isOk ? words.tool.ok : words.tool.failed}`}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** A replay is shown beside its recording. */
export function ConversationView({ id }: { id: number }): ReactNode {
  const trpc = useTRPC();
  const conversation = useQuery(trpc.suiteRuns.conversation.queryOptions({ id }));
  return (
    <QueryView query={conversation} pending={<Skeleton h={240} radius="lg" />}>
      {(held) => (
        <Stack gap="md" data-testid="conversation">
          {held.replay === null && <Verdict held={held} />}
          <ConversationFacts held={held} />
          {held.recording_url !== null && (
            <Suspense fallback={<Skeleton h={180} />}>
              <RecordingPlayer
                url={held.recording_url}
                assistantName={words.speaker.assistant}
                onReady={ignore}
                onPosition={ignore}
              />
            </Suspense>
          )}
          {held.replay === null ? <Turns held={held} /> : <ReplayTable replay={held.replay} />}
          <Tools held={held} />
        </Stack>
      )}
    </QueryView>
  );
}
