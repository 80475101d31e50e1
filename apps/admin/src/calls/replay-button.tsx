/** Repeats the caller of a call with an assistant of today. */
import type { CallDetail } from '@parley/contracts';
import { Button, NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DraftForm } from '../ui/draft-form.tsx';
import { texts } from './texts.ts';

function ReplayForm({ call, onDone }: { call: CallDetail; onDone: () => void }): ReactNode {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const navigate = useNavigate();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  const form = useForm({
    initialValues: { assistant_id: String(call.assistant_id ?? '') },
    // The one of the call may have been deleted.
    validate: {
      assistant_id: (value) =>
        assistants.some(({ id }) => String(id) === value) ? null : texts.replay.noAssistant,
    },
    clearInputErrorOnChange: true,
  });
  const isListed = assistants.some(({ id }) => id === call.assistant_id);
  const replay = useMutation({
    mutationFn: ({ assistant_id: assistantId }: { assistant_id: string }) =>
      client.suiteRuns.replay.mutate({ id: call.id, draft: { assistant_id: Number(assistantId) } }),
    onSuccess: ({ id }) => navigate({ to: '/evaluations/runs/$runId', params: { runId: id } }),
  });
  return (
    <DraftForm
      form={form}
      save={replay}
      onSubmit={(draft) => replay.mutate(draft)}
      onCancel={onDone}
      action={texts.replay.start}
      testId="replay-start"
      fields={[]}
    >
      <Text size="sm">{texts.replay.text}</Text>
      <NativeSelect
        label={texts.replay.assistant}
        data={[
          ...(isListed ? [] : [{ value: String(call.assistant_id ?? ''), label: texts.replay.noAssistant }]),
          ...assistants.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        data-testid="replay-assistant"
        {...form.getInputProps('assistant_id')}
      />
    </DraftForm>
  );
}

/** Only for a call in which the customer said something and that is over. */
export function ReplayButton({ call }: { call: CallDetail }): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  if (call.status !== 'completed' || !call.turns.some(({ sender }) => sender === 'human')) return null;
  return (
    <>
      <Button variant="default" data-testid="replay" onClick={dialog.open}>
        {texts.replay.action}
      </Button>
      <Dialog title={texts.replay.title} isOpen={isOpen} onClose={dialog.close}>
        <ReplayForm call={call} onDone={dialog.close} />
      </Dialog>
    </>
  );
}
