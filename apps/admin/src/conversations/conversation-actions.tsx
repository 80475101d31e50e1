/** What a person does with a written conversation: takes over, ends it, deletes it. */
import type { WrittenConversationDetails } from '@parley/contracts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { texts } from './texts.ts';

const LOOK = { variant: 'default' } as const;

interface ConversationActionsProps {
  conversation: Pick<WrittenConversationDetails, 'id' | 'status' | 'ai_enabled'>;
}

function AssistantSwitch({ conversation: { id, ai_enabled: isOn } }: ConversationActionsProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const enable = useMutation({
    mutationFn: () => client.writtenConversations.enableAi.mutate({ id }),
    onSuccess: () => refresh('writtenConversations'),
    onError: reportError,
  });
  if (!isOn)
    return (
      <Button
        variant="default"
        loading={enable.isPending}
        data-testid="conversation-switch-on"
        onClick={() => enable.mutate()}
      >
        {texts.switchOn}
      </Button>
    );
  return (
    <AskFirst
      {...texts.switchOff}
      look={LOOK}
      testId="conversation-switch-off"
      run={async () => {
        await client.writtenConversations.disableAi.mutate({ id });
        await refresh('writtenConversations');
      }}
    />
  );
}

/** Buttons. After a deletion the list is shown. */
export function ConversationActions({ conversation }: ConversationActionsProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { id, status } = conversation;
  return (
    <>
      <AssistantSwitch conversation={conversation} />
      {status === 'open' && (
        <AskFirst
          {...texts.end}
          look={LOOK}
          testId="conversation-end"
          run={async () => {
            await client.writtenConversations.end.mutate({ id });
            await refresh('writtenConversations');
          }}
        />
      )}
      <AskFirst
        {...texts.remove}
        look={{ color: 'red', variant: 'light' }}
        testId="conversation-remove"
        run={async () => {
          await client.writtenConversations.remove.mutate({ id });
          await navigate({ to: '/conversations' });
          await refresh('writtenConversations', 'webhooks');
        }}
      />
    </>
  );
}
