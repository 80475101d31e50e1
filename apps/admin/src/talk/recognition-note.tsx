/** One line about the current speech recognition of an assistant. It is refreshed regularly, because processes and providers change. */
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { describeRecognition, voiceWarning } from './recognition-labels.rules.ts';

/** The lease of a voice process, after which a failed process is no longer counted, milliseconds. */
const ASK_AGAIN_MS = 10_000;

/** Renders nothing until the data is loaded. */
export function RecognitionNote({ assistantId }: { assistantId: number }): ReactNode {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.assistants.recognition.queryOptions({ id: assistantId }),
    refetchInterval: ASK_AGAIN_MS,
  });
  const warning = data ? voiceWarning(data) : null;
  return (
    <>
      <Text c="dimmed" size="sm" data-testid="recognition">
        {data ? describeRecognition(data) : ''}
      </Text>
      {warning !== null && (
        <Alert color="yellow" variant="light" data-testid="voice-warning">
          {warning}
        </Alert>
      )}
    </>
  );
}
