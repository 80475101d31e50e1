/** The form for how often a user may dial one number. */
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UserRecord } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { texts } from './texts.ts';

const FIELDS = [
  ['max_attempts_per_number_per_day', texts.attempts.perDay, 'attempts-per-day'],
  ['max_attempts_per_number_per_week', texts.attempts.perWeek, 'attempts-per-week'],
] as const;

interface AttemptLimitsFormProps {
  user: UserRecord;
  onDone: () => void;
}

/** In a dialog. */
export function AttemptLimitsForm({ user, onDone }: AttemptLimitsFormProps): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  // Text as it is typed: the server reads an empty text as none, and checks the others.
  const form = useForm({
    initialValues: {
      max_attempts_per_number_per_day: String(user.max_attempts_per_number_per_day ?? ''),
      max_attempts_per_number_per_week: String(user.max_attempts_per_number_per_week ?? ''),
    },
    clearInputErrorOnChange: true,
  });
  const save = useMutation(
    trpc.users.setAttemptLimits.mutationOptions({
      onSuccess: () => {
        onDone();
        return refresh('users');
      },
      onError: showFaults(form),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate({ id: user.id, ...draft })}
      onCancel={onDone}
      action={texts.attempts.save}
      testId="attempt-limits"
    >
      <Text size="sm">{texts.attempts.text}</Text>
      {FIELDS.map(([name, label, testId]) => (
        <TextInput
          key={name}
          label={label}
          inputMode="numeric"
          data-testid={testId}
          {...form.getInputProps(name)}
        />
      ))}
    </DraftForm>
  );
}
