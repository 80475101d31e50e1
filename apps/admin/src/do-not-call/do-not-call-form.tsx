/** Puts one number or many on the do-not-call list. What is no number stays in the field. */
import { Alert, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { addedWords, inParts, pastedNumbers } from './pasted-numbers.rules.ts';
import { texts } from './texts.ts';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';

/** Fewer than the server takes at once, so that an answer comes soon. */
const PART = 500;

interface Draft {
  numbers: string;
  reason: string;
}

interface Added {
  added: number;
  refused: string[];
}

function useAdd(form: UseFormReturnType<Draft>, onDone: () => void) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ numbers, reason }: Draft): Promise<Added> => {
      const sum: Added = { added: 0, refused: [] };
      for (const part of inParts(pastedNumbers(numbers), PART)) {
        const { added, refused } = await client.doNotCall.add.mutate({ phone_numbers: part, reason });
        sum.added += added;
        sum.refused.push(...refused);
      }
      return sum;
    },
    onSuccess: ({ refused }) => {
      if (refused.length === 0) onDone();
      else form.setFieldValue('numbers', refused.join('\n'));
    },
    onError: (error) => form.setErrors(firstMessages(readRequestError(error).fields)),
    onSettled: () => refresh('doNotCall'),
  });
}

/** Closes itself when all of it is on the list. */
export function DoNotCallForm({ onDone }: { onDone: () => void }): ReactNode {
  const form = useForm<Draft>({
    initialValues: { numbers: '', reason: '' },
    validate: { numbers: (text) => (pastedNumbers(text).length === 0 ? texts.form.numberMissing : null) },
    clearInputErrorOnChange: true,
  });
  const add = useAdd(form, onDone);
  useUnsavedChanges(form.isDirty() && !add.isPending);
  return (
    <form noValidate onSubmit={form.onSubmit((draft) => add.mutate(draft))}>
      <Stack gap="md">
        <FormFailure error={add.error} fields={['reason']} />
        {add.data && add.data.refused.length > 0 && (
          <Alert color="yellow" variant="light" role="alert" data-testid="do-not-call-refused">
            {texts.form.refused(addedWords(add.data.added))}
          </Alert>
        )}
        <Textarea
          label={texts.form.numbers.label}
          description={texts.form.numbers.hint}
          withAsterisk
          rows={6}
          data-testid="do-not-call-numbers"
          {...form.getInputProps('numbers')}
        />
        <TextInput
          label={texts.form.reason.label}
          description={texts.form.reason.hint}
          autoComplete="off"
          data-testid="do-not-call-reason"
          {...form.getInputProps('reason')}
        />
        <FormButtons
          action={texts.form.action}
          isPending={add.isPending}
          testId="do-not-call-add"
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}
