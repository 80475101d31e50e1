/** The facts of a written conversation: who wrote with which assistant, when, and how it ended. */
import type { WrittenConversationDetails } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useAccountZone } from '../session/use-account-zone.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { dayIn } from '../ui/format.rules.ts';
import { FullInstant } from '../ui/instant.tsx';
import { TextLink } from '../ui/link-button.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

/** The log of webhooks has no filter by conversation. */
function WebhooksLink({ endedAt }: { endedAt: string }): ReactNode {
  const day = dayIn(endedAt, useAccountZone());
  return (
    <TextLink to="/webhooks" search={{ event: 'conversation.ended', from: day, until: day }} size="sm">
      {texts.facts.webhooksLink}
    </TextLink>
  );
}

function endFacts({ ended_at: endedAt, ended_reason: reason }: WrittenConversationDetails): Fact[] {
  if (endedAt === null || reason === null) return [];
  return [
    [texts.facts.ended, <FullInstant key="ended" at={endedAt} />],
    [texts.facts.reason, texts.facts.reasons[reason]],
    [texts.facts.webhooks, <WebhooksLink key="webhooks" endedAt={endedAt} />],
  ];
}

/** A card of named values. */
export function ConversationFacts({ conversation }: { conversation: WrittenConversationDetails }): ReactNode {
  const { assistant_id: assistantId, customer_phone: phone, external_identifier: identifier } = conversation;
  const assistant = (
    <TextLink to="/assistants/$assistantId" params={{ assistantId }} size="sm">
      {conversation.assistant_name}
    </TextLink>
  );
  return (
    <Section title={texts.facts.title}>
      <Facts
        facts={[
          [texts.facts.assistant, assistant],
          [texts.facts.type, texts.types[conversation.type]],
          ...(identifier === null ? [] : [[texts.facts.customer, identifier] as const]),
          ...(phone === null
            ? []
            : [[texts.facts.phone, <PhoneNumber key="phone" number={phone} />] as const]),
          [texts.facts.started, <FullInstant key="started" at={conversation.created_at} />],
          [texts.facts.changed, <FullInstant key="changed" at={conversation.updated_at} />],
          ...endFacts(conversation),
          [texts.facts.id, conversation.id],
        ]}
      />
    </Section>
  );
}
