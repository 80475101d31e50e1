/** Changes a lead or one of its other numbers. */
import type { LeadStatus, SecondaryContactRecord } from '@parley/contracts';
import { NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { fieldMessage } from '../client/field-messages.rules.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { inBackground } from '../client/in-background.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { type LeadDraft, toLeadChanges, variableRows } from './lead-draft.rules.ts';
import { NumberField } from './number-field.tsx';
import { texts } from './texts.ts';
import { VariableFields } from './variable-fields.tsx';

/** Statuses with their labels. */
export const STATUSES = (Object.keys(texts.statuses) as LeadStatus[]).map((value) => ({
  value,
  label: texts.statuses[value],
}));

interface LeadFormProps {
  lead: Pick<SecondaryContactRecord, 'id' | 'phone_number' | 'status' | 'variables'>;
  onDone: () => void;
}

/** Messages at the fields. The API refuses the number of a stored lead in its message alone. */
function faultsOf(error: unknown): Record<string, string> {
  const { message, fields } = readRequestError(error);
  if (Object.keys(fields).length > 0) return firstMessages(fields);
  const text = fieldMessage(message);
  return text === message ? {} : { phone_number: text };
}

/** Sends only what was edited, and closes once it is saved. */
export function LeadForm({ lead, onDone }: LeadFormProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const rows = variableRows(lead.variables);
  const form = useForm<LeadDraft>({
    initialValues: { phone_number: lead.phone_number, status: lead.status, variables: rows },
    clearInputErrorOnChange: true,
  });
  const save = useMutation({
    mutationFn: (draft: LeadDraft) =>
      client.leads.update.mutate({ id: lead.id, changes: toLeadChanges(draft, lead) }),
    onSuccess: onDone,
    onError: (error) => form.setErrors(faultsOf(error)),
    // Without waiting: until a request is settled, its form counts as being saved, and is left without a question.
    onSettled: () => inBackground(refresh('leads', 'campaigns')),
  });
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={texts.form.save}
      testId="lead-save"
      fields={['phone_number', 'status']}
    >
      <NumberField {...form.getInputProps('phone_number')} />
      <NativeSelect
        label={texts.form.status}
        data={STATUSES}
        data-testid="lead-status"
        {...form.getInputProps('status')}
      />
      <VariableFields form={form} storedCount={rows.length} />
    </DraftForm>
  );
}
