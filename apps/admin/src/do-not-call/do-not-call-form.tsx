/** Adds numbers to the do-not-call list. Invalid numbers stay in the field. */
import { Alert, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import { DraftForm } from '../ui/draft-form.tsx';
import { inParts, pastedNumbers } from '../ui/pasted-numbers.rules.ts';
import { addedWords } from './added-words.rules.ts';
import { texts } from './texts.ts';

/** Below the maximum of the server, so that each request is short. */
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

/** Closes once all numbers are on the list. */
export function DoNotCallForm({ onDone }: { onDone: () => void }): ReactNode {
  const form = useForm<Draft>({
    initialValues: { numbers: '', reason: '' },
    validate: { numbers: (text) => (pastedNumbers(text).length === 0 ? texts.form.numberMissing : null) },
    clearInputErrorOnChange: true,
  });
  const add = useAdd(form, onDone);
  return (
    <DraftForm
      form={form}
      save={add}
      onSubmit={(draft) => add.mutate(draft)}
      onCancel={onDone}
      action={texts.form.action}
      testId="do-not-call-add"
      fields={['reason']}
    >
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
      <NumberCountryField />
      <TextInput
        label={texts.form.reason.label}
        description={texts.form.reason.hint}
        autoComplete="off"
        data-testid="do-not-call-reason"
        {...form.getInputProps('reason')}
      />
    </DraftForm>
  );
}
