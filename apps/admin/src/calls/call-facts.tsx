/** The facts of a call: who, when, how long, how it ended. */
import type { CallDetail } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Facts } from '../ui/facts.tsx';
import { formatInstant, formatLocalDateTime } from '../ui/format.rules.ts';
import { TextLink } from '../ui/link-button.tsx';
import { Section } from '../ui/section.tsx';
import { CallDuration } from './call-duration.tsx';
import { trunkOf } from './call-cost.rules.ts';
import { describeReason } from './call-reason.rules.ts';
import { texts } from './texts.ts';

const ENDED_BY: Record<string, string> = texts.facts.endedBy;

function AssistantName({ call }: { call: CallDetail }): ReactNode {
  return (
    <TextLink to="/assistants/$assistantId" params={{ assistantId: call.assistant_id }} size="sm">
      {call.assistant_name}
    </TextLink>
  );
}

/** A card of named values. */
export function CallFacts({ call }: { call: CallDetail }): ReactNode {
  return (
    <Section title={texts.facts.title}>
      <Facts
        facts={[
          [texts.facts.assistant, <AssistantName key="assistant" call={call} />],
          [texts.facts.type, texts.types[call.type]],
          [texts.customer, call.client_phone_number],
          [texts.facts.ownNumber, call.assistant_phone_number],
          [texts.facts.trunk, trunkOf(call)],
          [texts.facts.placed, formatLocalDateTime(call.created_at)],
          [texts.facts.answered, call.answered_at && formatInstant(call.answered_at)],
          [texts.facts.answeredByLabel, texts.facts.answeredBy[call.answered_by]],
          [texts.facts.duration, <CallDuration key="duration" call={call} />],
          [texts.facts.endedByLabel, call.ended_by && (ENDED_BY[call.ended_by] ?? call.ended_by)],
          [texts.facts.reason, call.ended_reason && describeReason(call.ended_reason)],
        ]}
      />
    </Section>
  );
}
