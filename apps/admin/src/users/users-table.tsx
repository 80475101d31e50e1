/** The users of the installation as a table. */
import { Badge } from '@mantine/core';
import type { UserRecord } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { AttemptLimits, AttemptLimitsButton } from './attempt-limits.tsx';
import { DialLimits, DialLimitsButton } from './dial-limits.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import type { NewLink } from './shown-link.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.page.columns.name],
  [texts.page.columns.role, table['mediumOnly']],
  [texts.page.columns.created, table['wideOnly']],
  [''],
];

interface UsersTableProps {
  users: readonly UserRecord[];
  onLink: (made: NewLink) => void;
}

function LinkButton({ user, onLink }: { user: UserRecord } & Pick<UsersTableProps, 'onLink'>): ReactNode {
  const trpc = useTRPC();
  const invite = useMutation(
    trpc.users.inviteAgain.mutationOptions({
      gcTime: 0,
      onSuccess: ({ link }) => onLink({ name: user.name, link }),
    }),
  );
  return (
    <AskFirst
      action={texts.link.action}
      label={texts.link.actionLabel(user.name)}
      question={texts.link.question(user.name)}
      text={texts.link.warning}
      keep={texts.link.keep}
      testId="user-link"
      run={() => invite.mutateAsync({ id: user.id })}
    />
  );
}

function RoleButton({ user }: { user: UserRecord }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const change = useMutation(
    trpc.users.changeRole.mutationOptions({ onSettled: () => refresh('users', 'session') }),
  );
  const isOperator = user.role === 'operator';
  const action = isOperator ? texts.role.demote : texts.role.promote;
  return (
    <AskFirst
      action={action}
      label={texts.role.label(action, user.name)}
      question={texts.role.question(user.name)}
      text={isOperator ? texts.role.demoteText : texts.role.promoteText}
      keep={texts.role.keep}
      testId="user-change-role"
      run={() => change.mutateAsync({ id: user.id, role: isOperator ? 'member' : 'operator' })}
    />
  );
}

function DisableButton({ user }: { user: UserRecord }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const change = useMutation(trpc.users.setDisabled.mutationOptions({ onSettled: () => refresh('users') }));
  const isDisabled = user.disabled_at !== null;
  const { action, question, text } = isDisabled ? texts.disabling.enable : texts.disabling.disable;
  return (
    <AskFirst
      action={action}
      label={texts.role.label(action, user.name)}
      question={question(user.name)}
      text={text}
      keep={texts.link.keep}
      testId="user-disable"
      run={() => change.mutateAsync({ id: user.id, is_disabled: !isDisabled })}
    />
  );
}

function RemoveButton({ user }: { user: UserRecord }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const remove = useMutation(trpc.users.remove.mutationOptions({ onSettled: () => refresh('users') }));
  return (
    <AskFirst
      action={texts.removal.action}
      label={texts.role.label(texts.removal.action, user.name)}
      question={texts.removal.question(user.name)}
      text={texts.removal.text}
      keep={texts.link.keep}
      testId="user-remove"
      run={() => remove.mutateAsync({ id: user.id })}
    />
  );
}

/** A user who is being removed has none. */
function UserActions({ user, onLink }: { user: UserRecord } & Pick<UsersTableProps, 'onLink'>): ReactNode {
  if (user.removal_requested_at !== null) return null;
  const isDisabled = user.disabled_at !== null;
  return (
    <RowMenu label={texts.page.actions(user.name)} testId="user-actions">
      {!isDisabled && <LinkButton user={user} onLink={onLink} />}
      {!isDisabled && <RoleButton user={user} />}
      <AttemptLimitsButton user={user} />
      <DialLimitsButton user={user} />
      {user.has_second_factor && <ResetSecondFactorButton user={user} />}
      <DisableButton user={user} />
      {isDisabled && <RemoveButton user={user} />}
    </RowMenu>
  );
}

function stateOf(user: UserRecord): string | null {
  if (user.removal_requested_at !== null) return texts.removal.badge;
  return user.disabled_at === null ? null : texts.disabling.badge;
}

function ResetSecondFactorButton({ user }: { user: UserRecord }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const reset = useMutation(
    trpc.users.resetSecondFactor.mutationOptions({ onSettled: () => refresh('users') }),
  );
  return (
    <AskFirst
      action={texts.secondFactor.action}
      label={texts.role.label(texts.secondFactor.action, user.name)}
      question={texts.secondFactor.question(user.name)}
      text={texts.secondFactor.text}
      keep={texts.link.keep}
      testId="user-reset-second-factor"
      run={() => reset.mutateAsync({ id: user.id })}
    />
  );
}

/** The first user first. */
export function UsersTable({ users, onLink }: UsersTableProps): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {users.map((user) => (
        <tr key={user.id} data-testid="user-row" data-user-id={user.id}>
          <td className={`${table['wrap']} ${table['anywhere']}`}>
            {user.name}{' '}
            {stateOf(user) !== null && (
              <Badge variant="default" size="sm" tt="none">
                {stateOf(user)}
              </Badge>
            )}
            <div className={table['under']}>{user.email}</div>
            <div className={`${table['under']} ${table['narrowOnly']}`}>{texts.roles[user.role]}</div>
            <AttemptLimits user={user} />
            <DialLimits user={user} />
          </td>
          <td className={table['mediumOnly']}>{texts.roles[user.role]}</td>
          <td className={`${table['minor']} ${table['wideOnly']}`}>
            <Day at={user.created_at} />
          </td>
          <td className={table['number']}>
            <UserActions user={user} onLink={onLink} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
