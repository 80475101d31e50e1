/** The browsers in which the user is signed in. */
import type { AppRouter } from '@parley/api/router';
import { Badge } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { Instant } from '../ui/instant.tsx';
import { browserName } from './browser-name.rules.ts';
import { texts } from './texts.ts';

type SessionRecord = inferRouterOutputs<AppRouter>['account']['sessions'][number];

const COLUMNS: readonly Column[] = [
  [texts.sessions.columns.browser],
  [texts.sessions.columns.address, table['mediumOnly']],
  [texts.sessions.columns.signedIn, table['wideOnly']],
  [texts.sessions.columns.lastUsed],
  [''],
];

function EndButton({ session }: { session: SessionRecord }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.account.endSession.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
    }),
  );
  return (
    <AskFirst
      action={texts.sessions.end.action}
      label={texts.sessions.end.label(browserName(session.user_agent))}
      question={texts.sessions.end.question}
      text={texts.sessions.end.text}
      keep={texts.sessions.end.keep}
      testId="session-end"
      run={() => end.mutateAsync({ id: session.id })}
    />
  );
}

/** Ends all sessions but this one. */
export function EndOthersButton(): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.account.endOtherSessions.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
    }),
  );
  return (
    <AskFirst
      action={texts.sessions.endOthers.action}
      question={texts.sessions.endOthers.question}
      text={texts.sessions.endOthers.text}
      keep={texts.sessions.endOthers.keep}
      testId="sessions-end-others"
      run={() => end.mutateAsync()}
    />
  );
}

/** The current session has no button: signing out ends it. */
export function SessionsTable({ sessions }: { sessions: readonly SessionRecord[] }): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {sessions.map((session) => (
        <tr key={session.id} data-testid="session-row" data-current={session.is_current}>
          <td className={table['wrap']}>
            {browserName(session.user_agent)}{' '}
            {session.is_current && (
              <Badge variant="default" size="sm" tt="none">
                {texts.sessions.current}
              </Badge>
            )}
          </td>
          <td className={table['mediumOnly']}>{session.network_address ?? texts.sessions.unknown}</td>
          <td className={`${table['minor']} ${table['wideOnly']}`}>
            <Day at={session.signed_in_at} otherwise={texts.sessions.unknown} />
          </td>
          <td className={table['minor']}>
            <Instant at={session.last_used_at} />
          </td>
          <td className={table['number']}>{!session.is_current && <EndButton session={session} />}</td>
        </tr>
      ))}
    </DataTable>
  );
}
