/** The form of a new or existing provider. The server verifies the key, and its faults are shown at the fields. */
import { type ProviderRecord, remoteProviderKinds } from '@parley/contracts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { faultsOfLines } from '../client/field-faults.rules.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import {
  draftOf,
  emptyProvider,
  hasWrittenOffers,
  type ProviderDraft,
  type RemoteKind,
  toNewProvider,
  toProviderChanges,
} from './provider-draft.rules.ts';
import { kindHint, kindLabel } from './provider-labels.rules.ts';
import { texts } from './texts.ts';

interface ProviderFormProps {
  /** Absent: a new one. */
  provider?: ProviderRecord & { kind: RemoteKind };
  onDone: () => void;
}

type ProviderDraftForm = UseFormReturnType<ProviderDraft>;

const KINDS = remoteProviderKinds.map((value) => ({ value, label: kindLabel(value) }));

function OfferFields({ form }: { form: ProviderDraftForm }): ReactNode {
  return (
    <>
      <Textarea
        label={texts.form.models.label}
        description={texts.form.models.hint}
        placeholder={texts.form.models.placeholder}
        rows={3}
        data-testid="provider-models"
        {...form.getInputProps('models')}
      />
      <Textarea
        label={texts.form.embeddingModels.label}
        description={texts.form.embeddingModels.hint}
        placeholder={texts.form.embeddingModels.placeholder}
        rows={2}
        data-testid="provider-embedding-models"
        {...form.getInputProps('embedding_models')}
      />
      <Textarea
        label={texts.form.voices.label}
        description={texts.form.voices.hint}
        placeholder={texts.form.voices.placeholder}
        rows={2}
        {...form.getInputProps('voices')}
      />
      <TextInput
        label={texts.form.transcriptionModel.label}
        description={texts.form.transcriptionModel.hint}
        placeholder={texts.form.transcriptionModel.placeholder}
        autoComplete="off"
        data-testid="provider-transcription-model"
        {...form.getInputProps('transcription_model')}
      />
    </>
  );
}

function AddressField({ form }: { form: ProviderDraftForm }): ReactNode {
  const isNeeded = form.values.kind === 'openai-compatible';
  return (
    <TextInput
      label={texts.form.address.label}
      description={isNeeded ? texts.form.address.hint : texts.form.address.ownHint}
      placeholder={isNeeded ? texts.form.address.example : texts.form.address.own}
      withAsterisk={isNeeded}
      type="url"
      autoComplete="off"
      data-testid="provider-address"
      {...form.getInputProps('base_url')}
    />
  );
}

function useSave({ provider, onDone }: ProviderFormProps, form: ProviderDraftForm, before: ProviderDraft) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (draft: ProviderDraft) =>
      provider
        ? client.providers.update.mutate({ id: provider.id, ...toProviderChanges(draft, before) })
        : client.providers.create.mutate(toNewProvider(draft)),
    onSuccess: async () => {
      onDone();
      await refresh('providers', 'lookups');
    },
    onError: (error) => {
      const { fields } = readRequestError(error);
      const lists = ['models', 'embedding_models', 'voices'] as const;
      form.setErrors(firstMessages(lists.reduce((faults, list) => faultsOfLines(faults, list), fields)));
    },
  });
}

/** The kind of an account cannot change: its models and voices belong to it. */
export function ProviderForm(props: ProviderFormProps): ReactNode {
  const { provider, onDone } = props;
  const [before] = useState(() => (provider ? draftOf(provider, provider.kind) : emptyProvider));
  const form = useForm<ProviderDraft>({ initialValues: before, clearInputErrorOnChange: true });
  const save = useSave(props, form, before);
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={provider ? texts.form.save : texts.form.add}
      testId="provider-save"
    >
      {!provider && (
        <NativeSelect
          label={texts.form.kind}
          description={kindHint(form.values.kind)}
          data={KINDS}
          data-testid="provider-kind"
          {...form.getInputProps('kind')}
        />
      )}
      <TextInput
        label={texts.form.name.label}
        description={texts.form.name.hint}
        withAsterisk
        autoComplete="off"
        data-testid="provider-name"
        {...form.getInputProps('name')}
      />
      <SecretField
        label={texts.form.key.label}
        description={provider?.has_api_key ? texts.form.key.kept : texts.form.key.hint}
        data-testid="provider-key"
        {...form.getInputProps('api_key')}
      />
      <AddressField form={form} />
      {hasWrittenOffers(form.values.kind) && <OfferFields form={form} />}
    </DraftForm>
  );
}
