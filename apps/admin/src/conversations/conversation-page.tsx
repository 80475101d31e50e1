/** One written conversation: its messages, who wrote them and when, what is known of the customer, and how it ended. */
import type { WrittenConversationDetails, WrittenMessageRecord } from '@parley/contracts';
import { Alert, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import transcript from '../calls/transcript.module.css';
import { ValueList } from '../calls/value-list.tsx';
import { useTRPC } from '../client/admin-client.ts';
import { Bubble } from '../ui/bubble.tsx';
import { formatClock, formatDay, formatInstant } from '../ui/format.rules.ts';
import { BackLink } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import columns from '../ui/two-columns.module.css';
import { ConversationActions } from './conversation-actions.tsx';
import { ConversationFacts } from './conversation-facts.tsx';
import { ConversationState } from './conversation-state.tsx';
import { customerName } from './customer-name.rules.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/conversations/$conversationId');

/** How often it is renewed: an ended conversation is opened again by a message, milliseconds. */
const RENEWAL_MS = 5_000;

const LIST_LINK = <BackLink to="/conversations">{texts.page.back}</BackLink>;

interface MessageProps {
  message: WrittenMessageRecord;
  /** The message before it; absent for the first one. */
  previous: WrittenMessageRecord | undefined;
  assistant: string;
}

/** The day is written where it changes. */
function Message({ message, previous, assistant }: MessageProps): ReactNode {
  const isAssistant = message.role === 'assistant';
  const isSameDay =
    previous !== undefined && formatDay(previous.created_at) === formatDay(message.created_at);
  const format = isSameDay ? formatClock : formatInstant;
  return (
    <Bubble
      side={isAssistant ? 'bot' : 'human'}
      speaker={isAssistant ? assistant : texts.page.customer}
      foot={<time dateTime={message.created_at}>{format(message.created_at)}</time>}
    >
      {message.content}
    </Bubble>
  );
}

function Messages({ conversation }: { conversation: WrittenConversationDetails }): ReactNode {
  const { history, status, assistant_name: assistant } = conversation;
  if (history.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {status === 'open' ? texts.page.nothing : texts.page.noMessages}
      </Text>
    );
  return (
    <ol className={transcript['turns']} data-testid="messages">
      {history.map((message, index) => (
        // Only the oldest of hundreds are ever removed.
        // oxlint-disable-next-line no-array-index-key
        <li key={index} data-testid="message" data-role={message.role}>
          <Message message={message} previous={history[index - 1]} assistant={assistant} />
        </li>
      ))}
    </ol>
  );
}

function Conversation({ conversation }: { conversation: WrittenConversationDetails }): ReactNode {
  const { extracted_variables: collected, variables } = conversation;
  const isOff = conversation.status === 'open' && !conversation.ai_enabled;
  return (
    <>
      <PageHeader
        title={customerName(conversation)}
        back={LIST_LINK}
        subtitle={
          <Group gap="sm" mt={4}>
            <ConversationState conversation={conversation} />
            <span>{texts.types[conversation.type]}</span>
          </Group>
        }
        actions={<ConversationActions conversation={conversation} />}
      />
      <div className={columns['columns']}>
        <div className={columns['main']}>
          {isOff && (
            <Alert color="yellow" variant="light">
              {texts.page.assistantIsOff}
            </Alert>
          )}
          <Section title={texts.page.messages}>
            <Messages conversation={conversation} />
          </Section>
        </div>
        <div className={columns['side']}>
          <ConversationFacts conversation={conversation} />
          <ValueList title={texts.page.collected} values={collected} />
          <ValueList title={texts.page.input} values={variables} />
        </div>
      </div>
    </>
  );
}

/** The page at `/conversations/<id>`. */
export function ConversationPage(): ReactNode {
  const { conversationId } = route.useParams();
  const conversation = useQuery({
    ...useTRPC().writtenConversations.get.queryOptions({ id: conversationId }),
    refetchInterval: RENEWAL_MS,
  });
  return (
    <QueryView
      query={conversation}
      pending={<Skeleton h={480} radius="lg" />}
      failureHeader={<PageHeader title={texts.page.title} back={LIST_LINK} />}
    >
      {(data) => <Conversation conversation={data} key={data.id} />}
    </QueryView>
  );
}
