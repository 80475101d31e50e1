/** One line on what an assistant understands now: asked again and again, since machines and providers come and go. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { describeRecognition } from './recognition-labels.rules.ts';

/** A voice process that died is off the list within this time (its lease), milliseconds. */
const ASK_AGAIN_MS = 10_000;

/** Nothing until the server has answered. */
export function RecognitionNote({ assistantId }: { assistantId: number }): ReactNode {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.assistants.recognition.queryOptions({ id: assistantId }),
    refetchInterval: ASK_AGAIN_MS,
  });
  return (
    <Text c="dimmed" size="sm" data-testid="recognition">
      {data ? describeRecognition(data) : ''}
    </Text>
  );
}
