/** Adds numbers to the do-not-call list. Invalid numbers stay in the field. */
import { Alert, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import { DraftForm } from '../ui/draft-form.tsx';
import { pastedNumbers } from '../ui/pasted-numbers.rules.ts';
import { useAddNumbers } from '../ui/use-add-numbers.ts';
import { addedWords } from './added-words.rules.ts';
import { texts } from './texts.ts';

interface Draft {
  numbers: string;
  reason: string;
}

/** Closes once all numbers are on the list. */
export function DoNotCallForm({ onDone }: { onDone: () => void }): ReactNode {
  const form = useForm<Draft>({
    initialValues: { numbers: '', reason: '' },
    validate: { numbers: (text) => (pastedNumbers(text).length === 0 ? texts.form.numberMissing : null) },
    clearInputErrorOnChange: true,
  });
  const client = useTRPCClient();
  const refresh = useRefresh();
  const add = useAddNumbers(form, {
    send: (numbers, { reason }) => client.doNotCall.add.mutate({ phone_numbers: numbers, reason }),
    onDone,
    onSettled: () => refresh('doNotCall'),
  });
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
