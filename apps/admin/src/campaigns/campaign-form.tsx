/** The form for a new campaign. The server validates it, and its faults are shown at the fields. */
import { Chip, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { type CampaignDraft, dayChoices, emptyCampaign, toCampaignInput } from './campaign-draft.rules.ts';
import { texts } from './texts.ts';

type CampaignDraftForm = UseFormReturnType<CampaignDraft>;

function AssistantField({ form }: { form: CampaignDraftForm }): ReactNode {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  const choices = assistants.filter(({ type }) => type === 'outbound');
  return (
    <NativeSelect
      label={texts.form.assistant.label}
      description={texts.form.assistant.hint}
      withAsterisk
      data={[
        { value: '', label: texts.form.assistant.choose },
        ...choices.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      data-testid="campaign-assistant"
      {...form.getInputProps('assistant_id')}
    />
  );
}

function HourFields({ form }: { form: CampaignDraftForm }): ReactNode {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={texts.form.hoursStart}
          type="time"
          {...form.getInputProps('allowed_hours_start_time')}
        />
        <TextInput
          label={texts.form.hoursEnd}
          type="time"
          {...form.getInputProps('allowed_hours_end_time')}
        />
        <TextInput
          label={texts.form.timezone.label}
          placeholder={texts.form.timezone.placeholder}
          autoComplete="off"
          {...form.getInputProps('timezone')}
        />
      </Group>
      <Chip.Group multiple {...form.getInputProps('allowed_days')}>
        <Group gap="xs">
          {dayChoices.map(({ day, label }) => (
            <Chip key={day} value={day} size="xs">
              {label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {form.errors['allowed_days'] && (
        <Text size="xs" c="red" role="alert">
          {form.errors['allowed_days']}
        </Text>
      )}
    </>
  );
}

function LimitFields({ form }: { form: CampaignDraftForm }): ReactNode {
  return (
    <Group grow align="flex-start">
      <TextInput
        label={texts.form.maxCalls}
        type="number"
        min={1}
        {...form.getInputProps('max_calls_in_parallel')}
      />
      <TextInput
        label={texts.form.retries}
        type="number"
        min={0}
        max={10}
        {...form.getInputProps('max_retries')}
      />
      <TextInput
        label={texts.form.retryMinutes}
        type="number"
        min={1}
        {...form.getInputProps('retry_minutes')}
      />
    </Group>
  );
}

/** Opens the page of the campaign once it is created. */
export function CampaignForm({ onCancel }: { onCancel: () => void }): ReactNode {
  const trpc = useTRPC();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm<CampaignDraft>({ initialValues: emptyCampaign, clearInputErrorOnChange: true });
  const create = useMutation(
    trpc.campaigns.create.mutationOptions({
      onSuccess: async ({ id }) => {
        await queryClient.invalidateQueries(trpc.campaigns.pathFilter());
        await navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
      },
      onError: (error) => {
        const { retry_interval: interval, ...fields } = firstMessages(readRequestError(error).fields);
        form.setErrors(interval === undefined ? fields : { ...fields, retry_minutes: interval });
      },
    }),
  );
  return (
    <DraftForm
      form={form}
      save={create}
      onSubmit={(draft) => create.mutate(toCampaignInput(draft))}
      onCancel={onCancel}
      action={texts.form.action}
      testId="campaign-create"
    >
      <TextInput
        label={texts.form.name}
        withAsterisk
        autoComplete="off"
        data-testid="campaign-name"
        {...form.getInputProps('name')}
      />
      <AssistantField form={form} />
      <HourFields form={form} />
      <LimitFields form={form} />
    </DraftForm>
  );
}
