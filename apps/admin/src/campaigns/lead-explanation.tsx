/** Why a lead was called each time, and what the dial rule decides about it now. */
import type { LeadAttempt, LeadAttempts } from '@parley/contracts';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeReason } from '../calls/call-reason.rules.ts';
import { StatusPill } from '../calls/status-pill.tsx';
import { useTRPC } from '../client/admin-client.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { TextLink } from '../ui/link-button.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { verdictHeadline } from './campaign-labels.rules.ts';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [[texts.attempts.columns.reason], [texts.attempts.columns.result]];

function AttemptRow({ attempt }: { attempt: LeadAttempt }): ReactNode {
  return (
    <tr data-testid="attempt-row">
      <td className={table['wrap']}>
        <TextLink to="/calls/$callId" params={{ callId: attempt.call_id }} size="sm">
          {formatInstant(attempt.at)}
        </TextLink>
        <div className={table['under']}>{texts.attempts.round(attempt.phone_number, attempt.round)}</div>
        {attempt.decision?.explanation}
      </td>
      <td className={table['wrap']}>
        <StatusPill status={attempt.status} />
        {attempt.ended_reason && <div className={table['under']}>{describeReason(attempt.ended_reason)}</div>}
        {attempt.is_counted === false && <div className={table['under']}>{texts.attempts.notCounted}</div>}
      </td>
    </tr>
  );
}

function Attempts({ attempts }: { attempts: LeadAttempts['attempts'] }): ReactNode {
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.attempts.empty}
      </Text>
    );
  return (
    <DataTable columns={COLUMNS}>
      {attempts.map((attempt) => (
        <AttemptRow key={attempt.call_id} attempt={attempt} />
      ))}
    </DataTable>
  );
}

/** The content of the dialog of one lead. */
export function LeadExplanation({ leadId, onClose }: { leadId: number; onClose: () => void }): ReactNode {
  const trpc = useTRPC();
  const explained = useQuery(trpc.leads.explain.queryOptions({ id: leadId }));
  return (
    <Stack gap="md">
      <QueryView query={explained} pending={<Skeleton h={160} radius="md" />}>
        {({ now, attempts }) => (
          <>
            <div data-testid="lead-verdict">
              <Text fw={500}>{verdictHeadline(now)}</Text>
              <Text size="sm">{now.explanation}</Text>
            </div>
            <Attempts attempts={attempts} />
          </>
        )}
      </QueryView>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.attempts.close}
        </Button>
      </Group>
    </Stack>
  );
}
