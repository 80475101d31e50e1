/** The form for how often a user may dial one number. */
import { NumberInput, Text } from '@mantine/core';
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

/** An empty field is an empty string. */
type Draft = Record<(typeof FIELDS)[number][0], number | string>;

function limitOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}

interface AttemptLimitsFormProps {
  user: UserRecord;
  onDone: () => void;
}

/** In a dialog. */
export function AttemptLimitsForm({ user, onDone }: AttemptLimitsFormProps): ReactNode {
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
      onError: showFaults(form),
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
