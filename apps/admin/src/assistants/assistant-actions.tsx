/** Duplicates and deletes an assistant, in the list and on its page. */
import type { AssistantRecord } from '@parley/contracts';
import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useDeletions } from '../ui/deletions.tsx';
import { assistantKey, MAX_NAME_LENGTH } from './assistant-list.rules.ts';
import { texts } from './texts.ts';

interface AssistantActionsProps {
  assistant: Pick<AssistantRecord, 'id' | 'name'>;
  size?: ButtonProps['size'];
}

function useRemove({ id, name }: AssistantActionsProps['assistant']): () => void {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { remove } = useDeletions();
  return () => {
    inBackground(navigate({ to: '/assistants' }));
    remove({
      key: assistantKey(id),
      text: texts.actions.removed(name),
      run: async () => {
        await client.assistants.remove.mutate({ id });
        await refresh('assistants', 'campaigns', 'phoneNumbers');
      },
    });
  };
}

/** Two buttons, the second red outside of rows. A copy opens its page; a deletion leads to the list and can be undone for some seconds. */
export function AssistantActions({ assistant, size = 'sm' }: AssistantActionsProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const remove = useRemove(assistant);
  const copy = useMutation({
    mutationFn: () => {
      const name = texts.actions.copyName(assistant.name).slice(0, MAX_NAME_LENGTH);
      return client.assistants.copy.mutate({ id: assistant.id, name });
    },
    onSuccess: async ({ id }) => {
      await refresh('assistants');
      await navigate({ to: '/assistants/$assistantId', params: { assistantId: id } });
    },
    onError: reportError,
  });
  const removal = size === 'xs' ? { variant: 'default' } : { variant: 'light', color: 'red' };
  return (
    <>
      <Button
        size={size}
        variant="default"
        loading={copy.isPending}
        aria-label={texts.actions.copyLabel(assistant.name)}
        data-testid="assistant-copy"
        onClick={() => copy.mutate()}
      >
        {texts.actions.copy}
      </Button>
      <Button
        size={size}
        {...removal}
        aria-label={texts.actions.removeLabel(assistant.name)}
        data-testid="assistant-remove"
        onClick={remove}
      >
        {texts.actions.remove}
      </Button>
    </>
  );
}
