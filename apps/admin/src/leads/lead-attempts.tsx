/** Every call to a lead, with the reason for it and its outcome. */
import type { LeadAttempt } from '@parley/contracts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallState } from '../calls/call-state.tsx';
import { describeReason } from '../calls/call-reason.rules.ts';
import { texts as callTexts } from '../calls/texts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Instant } from '../ui/instant.tsx';
import { TextLink } from '../ui/link-button.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [[texts.attempts.columns.reason], [texts.attempts.columns.result]];

/** @returns what the outcome does not say already */
function reasonOf({ outcome, ended_reason: reason }: LeadAttempt): string | null {
  if (!reason) return null;
  const words = describeReason(reason);
  return outcome !== null && callTexts.outcomes[outcome] === words ? null : words;
}

function AttemptRow({ attempt }: { attempt: LeadAttempt }): ReactNode {
  const reason = reasonOf(attempt);
  return (
    <tr data-testid="attempt-row">
      <td className={table['wrap']}>
        <TextLink to="/calls/$callId" params={{ callId: attempt.call_id }} size="sm">
          <Instant at={attempt.at} />
        </TextLink>
        <div className={table['under']}>
          <PhoneNumber number={attempt.phone_number} /> · {texts.attempts.round(attempt.round)}
        </div>
        {attempt.decision?.explanation}
      </td>
      <td className={table['wrap']}>
        <CallState call={attempt} />
        {attempt.disposition !== null && <div>{attempt.disposition}</div>}
        {reason !== null && <div className={table['under']}>{reason}</div>}
        {attempt.is_counted === false && <div className={table['under']}>{texts.attempts.notCounted}</div>}
      </td>
    </tr>
  );
}

/** Newest first. */
export function LeadAttemptsTable({ attempts }: { attempts: readonly LeadAttempt[] }): ReactNode {
  return (
    <Section title={texts.attempts.title}>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.attempts.empty}
        </Text>
      ) : (
        <DataTable columns={COLUMNS}>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.call_id} attempt={attempt} />
          ))}
        </DataTable>
      )}
    </Section>
  );
}
