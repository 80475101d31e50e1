/** How often a user may dial one number: shown in the table, and changed in a dialog. */
import { NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UserRecord } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import table from '../ui/data-table.module.css';
import { DraftForm } from '../ui/draft-form.tsx';
import { RowDialog } from '../ui/row-dialog.tsx';
import { texts } from './texts.ts';

const FIELDS = [
  ['max_attempts_per_number_per_day', texts.attempts.perDay, 'attempts-per-day'],
  ['max_attempts_per_number_per_week', texts.attempts.perWeek, 'attempts-per-week'],
] as const;

/** An empty field is an empty string. */
type Draft = Record<(typeof FIELDS)[number][0], number | string>;

function limitOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}

/** One line; nothing without limits. */
export function AttemptLimits({ user }: { user: UserRecord }): ReactNode {
  const { max_attempts_per_number_per_day: perDay, max_attempts_per_number_per_week: perWeek } = user;
  if (perDay === null && perWeek === null) return null;
  return <div className={table['under']}>{texts.attempts.shown(perDay, perWeek)}</div>;
}

function AttemptLimitsForm({ user, onDone }: { user: UserRecord; onDone: () => void }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useForm<Draft>({
    initialValues: {
      max_attempts_per_number_per_day: user.max_attempts_per_number_per_day ?? '',
      max_attempts_per_number_per_week: user.max_attempts_per_number_per_week ?? '',
    },
    clearInputErrorOnChange: true,
  });
  const save = useMutation(
    trpc.users.setAttemptLimits.mutationOptions({
      onSuccess: () => {
        onDone();
        return refresh('users');
      },
      onError: (error) => form.setErrors(firstMessages(readRequestError(error).fields)),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) =>
        save.mutate({
          id: user.id,
          max_attempts_per_number_per_day: limitOf(draft.max_attempts_per_number_per_day),
          max_attempts_per_number_per_week: limitOf(draft.max_attempts_per_number_per_week),
        })
      }
      onCancel={onDone}
      action={texts.attempts.save}
      testId="attempt-limits"
    >
      <Text size="sm">{texts.attempts.text}</Text>
      {FIELDS.map(([name, label, testId]) => (
        <NumberInput
          key={name}
          label={label}
          min={1}
          max={1000}
          allowDecimal={false}
          data-testid={testId}
          {...form.getInputProps(name)}
        />
      ))}
    </DraftForm>
  );
}

/** A button that opens the form. */
export function AttemptLimitsButton({ user }: { user: UserRecord }): ReactNode {
  return (
    <RowDialog
      action={texts.attempts.action}
      title={texts.attempts.title(user.name)}
      testId="user-attempt-limits"
      form={(onDone) => <AttemptLimitsForm user={user} onDone={onDone} />}
    />
  );
}
