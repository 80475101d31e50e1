/** The form for a phone number at a carrier. The server validates it, and its faults are shown at the fields. */
import { phoneNumberLabels, type TrunkRecord } from '@parley/contracts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { labelHint } from './number-labels.rules.ts';
import { texts } from './texts.ts';

interface NumberDraft {
  phone_number: string;
  sip_trunk_id: string;
  type_label: (typeof phoneNumberLabels)[number];
}

interface NumberFormProps {
  trunks: readonly TrunkRecord[];
  onDone: () => void;
}

/** Preselects the trunk that was added last, because the first one is the test trunk. */
export function NumberForm({ trunks, onDone }: NumberFormProps): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useForm<NumberDraft>({
    initialValues: { phone_number: '', sip_trunk_id: String(trunks.at(-1)?.id ?? ''), type_label: 'SIP' },
    clearInputErrorOnChange: true,
  });
  const create = useMutation(
    trpc.phoneNumbers.create.mutationOptions({
      onSuccess: async () => {
        onDone();
        await refresh('phoneNumbers', 'lookups');
      },
      onError: showFaults(form),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={create}
      onSubmit={(draft) => create.mutate(draft)}
      onCancel={onDone}
      action={texts.numberForm.action}
      testId="number-save"
      fields={['phone_number', 'sip_trunk_id', 'type_label']}
    >
      <TextInput
        label={texts.numberForm.number}
        placeholder="+1 212 555 0123"
        type="tel"
        withAsterisk
        autoComplete="off"
        data-testid="number-text"
        {...form.getInputProps('phone_number')}
      />
      <NativeSelect
        label={texts.numberForm.trunk.label}
        description={texts.numberForm.trunk.hint}
        data={trunks.map(({ id, name }) => ({ value: String(id), label: name }))}
        data-testid="number-trunk"
        {...form.getInputProps('sip_trunk_id')}
      />
      <NativeSelect
        label={texts.numberForm.type}
        description={labelHint(form.values.type_label)}
        data={[...phoneNumberLabels]}
        {...form.getInputProps('type_label')}
      />
    </DraftForm>
  );
}
