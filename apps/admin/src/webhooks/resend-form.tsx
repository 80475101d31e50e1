/** The form that sends all failed webhooks of some days again. */
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { inBackground } from '../client/in-background.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import fields from '../ui/field-columns.module.css';
import type { DeliverySearch } from './delivery-search.rules.ts';
import { texts } from './texts.ts';

interface Draft {
  status: 'failed' | 'disabled';
  date_from: string;
  date_to: string;
}

const STATUSES = (['failed', 'disabled'] as const).map((value) => ({
  value,
  label: texts.resendMany.statuses[value],
}));

interface ResendFormProps {
  search: DeliverySearch;
  onClose: () => void;
}

/** In a dialog. */
export function ResendForm({ search, onClose }: ResendFormProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const today = new Date().toISOString().slice(0, 10);
  const form = useForm<Draft>({
    initialValues: {
      status: search.status === 'disabled' ? 'disabled' : 'failed',
      date_from: search.from ?? today,
      date_to: search.until ?? today,
    },
    clearInputErrorOnChange: true,
  });
  const resend = useMutation({
    mutationFn: (draft: Draft) =>
      client.webhooks.resendMany.mutate({ ...draft, ...(search.event && { event: search.event }) }),
    onError: showFaults(form),
    // Without waiting: until a request is settled, its form counts as being saved, and is left without a question.
    onSettled: () => inBackground(refresh('webhooks')),
  });
  if (resend.data)
    return (
      <Stack gap="md">
        <Alert color="teal" variant="light" role="status" data-testid="resend-many-done">
          {texts.resendMany.done(resend.data.count)}
        </Alert>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.secret.done}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <DraftForm
      form={form}
      save={resend}
      onSubmit={(draft) => resend.mutate(draft)}
      onCancel={onClose}
      action={texts.resendMany.submit}
      testId="resend-many-confirm"
      fields={['date_from', 'date_to']}
    >
      <Text size="sm">{texts.resendMany.text}</Text>
      <NativeSelect label={texts.resendMany.status} data={STATUSES} {...form.getInputProps('status')} />
      <div className={fields['columns']}>
        <TextInput label={texts.resendMany.from} type="date" {...form.getInputProps('date_from')} />
        <TextInput label={texts.resendMany.until} type="date" {...form.getInputProps('date_to')} />
      </div>
    </DraftForm>
  );
}
