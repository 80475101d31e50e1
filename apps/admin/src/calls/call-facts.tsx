/** The facts of a call: who, when, how long, how it ended. */
import type { CallDetail } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Facts } from '../ui/facts.tsx';
import { formatInstant, formatLocalDateTime } from '../ui/format.rules.ts';
import { TextLink } from '../ui/link-button.tsx';
import { Section } from '../ui/section.tsx';
import { CallDuration } from './call-duration.tsx';
import { describeReason } from './call-reason.rules.ts';
import { typeLabel } from './call-status.rules.ts';

const ANSWERED_BY = { human: 'A person', machine: 'A machine', unknown: null } as const;
const ENDED_BY: Record<string, string> = {
  customer: 'The customer',
  assistant: 'The assistant',
  system: 'Parley',
};

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
    <Section title="Facts">
      <Facts
        facts={[
          ['Assistant', <AssistantName key="assistant" call={call} />],
          ['Type', typeLabel(call.type)],
          ['Customer', call.client_phone_number],
          ['Our number', call.assistant_phone_number],
          ['Placed', formatLocalDateTime(call.created_at)],
          ['Answered', call.answered_at && formatInstant(call.answered_at)],
          ['Answered by', ANSWERED_BY[call.answered_by]],
          ['Duration', <CallDuration key="duration" call={call} />],
          ['Ended by', call.ended_by && (ENDED_BY[call.ended_by] ?? call.ended_by)],
          ['Reason', call.ended_reason && describeReason(call.ended_reason)],
        ]}
      />
    </Section>
  );
}
