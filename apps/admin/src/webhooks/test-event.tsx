/** Sends a test event to the webhook of an assistant and shows the answer. */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { TestResult } from './test-result.tsx';
import { texts } from './texts.ts';

function TestForm({ onClose }: { onClose: () => void }): ReactNode {
  const trpc = useTRPC();
  const [assistantId, setAssistantId] = useState('');
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  const send = useMutation(trpc.webhooks.sendTest.mutationOptions());
  const choices = assistants.filter(({ webhook_url: url }) => url);
  return (
    <Stack gap="md">
      <Text size="sm">{choices.length === 0 ? texts.test.missing : texts.test.text}</Text>
      {choices.length > 0 && (
        <NativeSelect
          label={texts.test.assistant}
          value={assistantId}
          data={[
            { value: '', label: texts.test.choose },
            ...choices.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          data-testid="test-assistant"
          onChange={({ currentTarget }) => setAssistantId(currentTarget.value)}
        />
      )}
      <FormFailure error={send.error} fields={[]} />
      {send.data && <TestResult result={send.data} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.secret.done}
        </Button>
        <Button
          disabled={assistantId === ''}
          loading={send.isPending}
          data-testid="test-send"
          onClick={() => send.mutate({ assistant_id: Number(assistantId) })}
        >
          {texts.test.send}
        </Button>
      </Group>
    </Stack>
  );
}

/** A button with its dialog. */
export function TestEvent(): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button data-testid="test-event" onClick={dialog.open}>
        {texts.test.action}
      </Button>
      <Dialog title={texts.test.action} isOpen={isOpen} onClose={dialog.close}>
        <TestForm onClose={dialog.close} />
      </Dialog>
    </>
  );
}
