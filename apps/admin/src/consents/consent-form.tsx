/** Records the consent of people who agreed with the same words. Invalid numbers stay in the field. */
import { Alert, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import { DraftForm } from '../ui/draft-form.tsx';
import { pastedNumbers } from '../ui/pasted-numbers.rules.ts';
import { useAddNumbers } from '../ui/use-add-numbers.ts';
import { texts } from './texts.ts';

interface Draft {
  numbers: string;
  source: string;
  text: string;
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
  const client = useTRPCClient();
  const refresh = useRefresh();
  const add = useAddNumbers(form, {
    send: (numbers, { source, text }) => client.consents.add.mutate({ phone_numbers: numbers, source, text }),
    onDone,
    onSettled: () => refresh('consents'),
  });
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
