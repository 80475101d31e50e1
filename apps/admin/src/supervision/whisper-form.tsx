/** An instruction for the assistant that the customer does not hear. */
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { texts } from './texts.ts';

/** The limit of the contract. */
const MOST_CHARACTERS = 500;

/** Empties itself when the assistant has received the text; what was written meanwhile stays. */
export function WhisperForm({ callId }: { callId: number }): ReactNode {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const whisper = useMutation(
    trpc.calls.whisper.mutationOptions({
      onSuccess: (_, { text: received }) => setText((written) => (written === received ? '' : written)),
    }),
  );
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') whisper.mutate({ id: callId, text });
  };
  return (
    <form onSubmit={send}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          flex={1}
          label={texts.whisper.label}
          description={texts.whisper.hint}
          maxLength={MOST_CHARACTERS}
          value={text}
          data-testid="whisper-text"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={whisper.isPending} data-testid="whisper">
          {texts.whisper.send}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={4} role="status" data-testid="whisper-state">
        {whisper.isSuccess ? texts.whisper.sent : ''}
      </Text>
      <FormFailure error={whisper.error} mt="sm" />
    </form>
  );
}
