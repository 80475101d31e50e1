/** Adds a lead to a campaign. */
import { Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { inBackground } from '../client/in-background.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { type NewLeadDraft, toNewLead } from './lead-draft.rules.ts';
import { NumberField } from './number-field.tsx';
import { texts } from './texts.ts';
import { VariableFields } from './variable-fields.tsx';

interface NewLeadFormProps {
  /** The campaign that is selected first. */
  campaignId: number | undefined;
  onDone: () => void;
}

/** Closes once the lead is added. */
export function NewLeadForm({ campaignId, onDone }: NewLeadFormProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const campaigns = useQuery(useTRPC().campaigns.list.queryOptions()).data ?? [];
  const form = useForm<NewLeadDraft>({
    initialValues: {
      phone_number: '',
      campaign_id: campaignId === undefined ? '' : String(campaignId),
      contacts: '',
      allow_duplicate: false,
      variables: [],
    },
    clearInputErrorOnChange: true,
  });
  const create = useMutation({
    mutationFn: (draft: NewLeadDraft) => client.leads.create.mutate(toNewLead(draft)),
    onSuccess: onDone,
    onError: showFaults(form),
    // Without waiting: until a request is settled, its form counts as being saved, and is left without a question.
    onSettled: () => inBackground(refresh('leads', 'campaigns')),
  });
  return (
    <DraftForm
      form={form}
      save={create}
      onSubmit={(draft) => create.mutate(draft)}
      onCancel={onDone}
      action={texts.form.add}
      testId="lead-add"
      fields={['phone_number', 'campaign_id']}
    >
      <NumberField {...form.getInputProps('phone_number')} />
      <NativeSelect
        label={texts.form.campaign.label}
        withAsterisk
        data-testid="lead-campaign"
        data={[
          { value: '', label: texts.form.campaign.choose },
          ...campaigns.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.getInputProps('campaign_id')}
      />
      <VariableFields form={form} />
      <Textarea
        label={texts.form.contacts.label}
        description={texts.form.contacts.hint}
        autosize
        minRows={2}
        data-testid="lead-contacts"
        {...form.getInputProps('contacts')}
      />
      <Checkbox
        label={texts.form.duplicate}
        {...form.getInputProps('allow_duplicate', { type: 'checkbox' })}
      />
    </DraftForm>
  );
}
