/** The form of a webhook endpoint, new or stored. The server validates it, and its faults are shown at the fields. */
import { endpointEvents, type EndpointRecord, type NewEndpointRecord } from '@parley/contracts';
import { Checkbox, MultiSelect, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { eventLabel } from './delivery-labels.rules.ts';
import { endpointDraft, endpointInput, filterChoices, type EndpointDraft } from './endpoint-draft.rules.ts';
import { texts } from './texts.ts';

type EndpointDraftForm = UseFormReturnType<EndpointDraft>;

interface EndpointFormProps {
  /** Null: a new one. */
  endpoint: EndpointRecord | null;
  /** Gets the secret of a new one. */
  onMade?: (made: NewEndpointRecord) => void;
  onDone: () => void;
}

function useSave(form: EndpointDraftForm, { endpoint, onMade, onDone }: EndpointFormProps) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    // The response contains the secret, which must not stay in memory after it was shown.
    gcTime: 0,
    mutationFn: async (draft: EndpointDraft) => {
      const input = endpointInput(draft);
      if (endpoint) await client.webhookEndpoints.update.mutate({ id: endpoint.id, ...input });
      else onMade?.(await client.webhookEndpoints.create.mutate(input));
    },
    onSuccess: () => {
      onDone();
      return refresh('webhookEndpoints');
    },
    onError: showFaults(form),
  });
}

function Events({ form }: { form: EndpointDraftForm }): ReactNode {
  return (
    <Checkbox.Group label={texts.endpoints.form.events} withAsterisk {...form.getInputProps('events')}>
      <Stack gap="xs" mt="xs">
        {endpointEvents.map((event) => (
          <Checkbox
            key={event}
            value={event}
            label={eventLabel(event)}
            description={event}
            data-testid={`endpoint-event-${event}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function Filters({ form }: { form: EndpointDraftForm }): ReactNode {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  const campaigns = useQuery(trpc.campaigns.list.queryOptions()).data ?? [];
  const { assistant_ids: assistantIds, campaign_ids: campaignIds } = form.values;
  const shared = { searchable: true, comboboxProps: { withinPortal: false } } as const;
  return (
    <>
      <MultiSelect
        {...shared}
        label={texts.endpoints.form.assistants}
        description={texts.endpoints.form.assistantsHint}
        data={filterChoices(assistants, assistantIds, texts.endpoints.form.deleted)}
        data-testid="endpoint-assistants"
        {...form.getInputProps('assistant_ids')}
      />
      <MultiSelect
        {...shared}
        label={texts.endpoints.form.campaigns}
        description={texts.endpoints.form.campaignsHint}
        data={filterChoices(campaigns, campaignIds, texts.endpoints.form.deleted)}
        data-testid="endpoint-campaigns"
        {...form.getInputProps('campaign_ids')}
      />
    </>
  );
}

/** In a dialog. */
export function EndpointForm(props: EndpointFormProps): ReactNode {
  const { endpoint, onDone } = props;
  const form = useForm<EndpointDraft>({
    initialValues: endpointDraft(endpoint),
    clearInputErrorOnChange: true,
  });
  const save = useSave(form, props);
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={endpoint ? texts.endpoints.form.save : texts.endpoints.form.create}
      testId="endpoint-save"
    >
      <TextInput
        label={texts.endpoints.form.url}
        description={texts.endpoints.form.urlHint}
        type="url"
        withAsterisk
        autoComplete="off"
        data-testid="endpoint-url"
        {...form.getInputProps('url')}
      />
      <TextInput
        label={texts.endpoints.form.note}
        autoComplete="off"
        data-testid="endpoint-description"
        {...form.getInputProps('description')}
      />
      <Events form={form} />
      <Filters form={form} />
      <Switch
        label={texts.endpoints.form.enabled}
        data-testid="endpoint-enabled"
        {...form.getInputProps('is_enabled', { type: 'checkbox' })}
      />
    </DraftForm>
  );
}
