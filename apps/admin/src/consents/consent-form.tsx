/** Records the consent of people who agreed with the same words. Invalid numbers stay in the field. */
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
import { texts } from './texts.ts';

/** Below the maximum of the server, so that each request is short. */
const PART = 500;

interface Draft {
  numbers: string;
  source: string;
  text: string;
}

function useAdd(form: UseFormReturnType<Draft>, onDone: () => void) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ numbers, source, text }: Draft) => {
      const sum = { added: 0, refused: [] as string[] };
      for (const part of inParts(pastedNumbers(numbers), PART)) {
        const { added, refused } = await client.consents.add.mutate({ phone_numbers: part, source, text });
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
    onSettled: () => refresh('consents'),
  });
}

/** Closes once the consent of all numbers is recorded. */
export function ConsentForm({ onDone }: { onDone: () => void }): ReactNode {
  const form = useForm<Draft>({
    initialValues: { numbers: '', source: '', text: '' },
    validate: {
      numbers: (text) => (pastedNumbers(text).length === 0 ? texts.form.numberMissing : null),
      source: (source) => (source.trim() === '' ? texts.form.sourceMissing : null),
    },
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
      testId="consent-add"
      fields={['source', 'text']}
    >
      {add.data && add.data.refused.length > 0 && (
        <Alert color="yellow" variant="light" role="alert" data-testid="consent-refused">
          {texts.form.refused(add.data.added)}
        </Alert>
      )}
      <Textarea
        label={texts.form.numbers.label}
        description={texts.form.numbers.hint}
        withAsterisk
        rows={6}
        data-testid="consent-numbers"
        {...form.getInputProps('numbers')}
      />
      <NumberCountryField />
      <TextInput
        label={texts.form.source.label}
        description={texts.form.source.hint}
        withAsterisk
        autoComplete="off"
        data-testid="consent-source"
        {...form.getInputProps('source')}
      />
      <Textarea
        label={texts.form.text.label}
        description={texts.form.text.hint}
        rows={3}
        data-testid="consent-text"
        {...form.getInputProps('text')}
      />
    </DraftForm>
  );
}
