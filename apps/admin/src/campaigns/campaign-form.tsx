/** The form for a campaign. The server validates it, and its faults are shown at the fields. */
import type { CampaignDetail } from '@parley/contracts';
import { Chip, Group, Input, NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import fields from '../ui/field-columns.module.css';
import { DraftForm } from '../ui/draft-form.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import {
  campaignDraft,
  type CampaignDraft,
  dayChoices,
  emptyCampaign,
  changedCampaignInput,
  toCampaignInput,
} from './campaign-draft.rules.ts';
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
      <div className={fields['columns']}>
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
      </div>
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
    <div className={fields['columns']}>
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
    </div>
  );
}

/** The numbers that calls may show, as chips; none selected: that of the assistant. */
function NumberFields({ form }: { form: CampaignDraftForm }): ReactNode {
  const trpc = useTRPC();
  const numbers = useQuery(trpc.lookups.all.queryOptions()).data?.phone_numbers ?? [];
  if (numbers.length === 0) return null;
  return (
    <Input.Wrapper
      label={texts.form.numbers.label}
      description={texts.form.numbers.hint}
      error={form.errors['phone_number_ids']}
    >
      <Chip.Group
        multiple
        value={form.values.phone_number_ids}
        onChange={(ids) => form.setFieldValue('phone_number_ids', ids)}
      >
        <Group gap="xs" mt="xs">
          {numbers.map(({ id, phone_number }) => (
            <Chip key={id} value={String(id)} size="xs">
              <PhoneNumber number={phone_number} />
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

const SWITCHES = [
  'respect_lead_timezone',
  'require_consent',
  'retry_on_voicemail',
  'retry_on_goal_incomplete',
  'mark_complete_when_no_leads',
] as const;

function RuleFields({ form }: { form: CampaignDraftForm }): ReactNode {
  return (
    <>
      {SWITCHES.map((name) => (
        <Switch
          key={name}
          label={texts.form.rules[name]}
          data-testid={`campaign-${name}`}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
      <TextInput
        label={texts.form.goal.label}
        description={texts.form.goal.hint}
        withAsterisk={form.values.retry_on_goal_incomplete}
        autoComplete="off"
        {...form.getInputProps('goal_completion_variable')}
      />
    </>
  );
}

interface CampaignFormProps {
  /** The campaign that is edited or copied. */
  source?: CampaignDetail;
  /** Whether a new campaign is made of `source`, without its leads. */
  isCopy?: boolean;
  onClose: () => void;
}

/** Saves the draft: a new campaign, a copy, or changes. */
function useSaveCampaign(form: CampaignDraftForm, { source, isCopy = false, onClose }: CampaignFormProps) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (draft: CampaignDraft): Promise<{ id: number }> => {
      if (!source || isCopy) return client.campaigns.create.mutate(toCampaignInput(draft));
      const changes = changedCampaignInput(draft, campaignDraft(source));
      return client.campaigns.update.mutate({ id: source.id, changes });
    },
    onSuccess: async ({ id }) => {
      await refresh('campaigns');
      onClose();
      await navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
    },
    onError: (error) => {
      form.setErrors(atFormFields(firstMessages(readRequestError(error).fields)));
    },
  });
}

/** The server names an entry of a list, and the interval in seconds. */
function atFormFields(messages: Record<string, string>): Record<string, string> {
  const names = Object.entries(messages).map(([name, message]) => {
    if (name === 'retry_interval') return ['retry_minutes', message];
    return [name.startsWith('dispositions.') ? 'dispositions' : name, message];
  });
  return Object.fromEntries(names) as Record<string, string>;
}

function initialDraft({ source, isCopy }: CampaignFormProps): CampaignDraft {
  if (!source) return emptyCampaign;
  const draft = campaignDraft(source);
  return isCopy ? { ...draft, name: texts.form.copyName(draft.name) } : draft;
}

/** Opens the page of the campaign once it is saved. */
export function CampaignForm(props: CampaignFormProps): ReactNode {
  const { source, isCopy = false, onClose } = props;
  const form = useForm<CampaignDraft>({
    initialValues: initialDraft(props),
    clearInputErrorOnChange: true,
  });
  const save = useSaveCampaign(form, props);
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onClose}
      action={source && !isCopy ? texts.form.save : texts.form.action}
      testId={source && !isCopy ? 'campaign-save' : 'campaign-create'}
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
      <NumberFields form={form} />
      <RuleFields form={form} />
      <Textarea
        label={texts.form.disclosure.label}
        description={texts.form.disclosure.hint}
        autosize
        {...form.getInputProps('disclosure_message')}
      />
      <Textarea
        label={texts.form.dispositions.label}
        description={texts.form.dispositions.hint}
        placeholder={texts.form.dispositions.placeholder}
        autosize
        minRows={3}
        data-testid="campaign-dispositions"
        {...form.getInputProps('dispositions')}
      />
    </DraftForm>
  );
}
