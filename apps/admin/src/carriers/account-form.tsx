/** The form of a carrier account, new or stored. The server asks the carrier whether the credentials are right. */
import { carrierKinds, type CarrierAccountRecord } from '@parley/contracts';
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { texts } from './texts.ts';

interface AccountDraft {
  name: string;
  kind: (typeof carrierKinds)[number];
  account_sid: string;
  secret: string;
  is_shared: boolean;
}

interface AccountFormProps {
  /** Null: a new one. */
  account: CarrierAccountRecord | null;
  onDone: () => void;
}

function useSave(form: UseFormReturnType<AccountDraft>, { account, onDone }: AccountFormProps) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    // The request contains a secret, which must not stay in memory.
    gcTime: 0,
    mutationFn: async ({ name, secret, ...draft }: AccountDraft) => {
      if (account) {
        const changed = secret === '' ? {} : { secret };
        await client.carrierAccounts.update.mutate({ id: account.id, name, ...changed });
        return;
      }
      const accountSid = draft.kind === 'twilio' ? draft.account_sid.trim() : null;
      await client.carrierAccounts.create.mutate({ ...draft, name, secret, account_sid: accountSid });
    },
    onSuccess: () => {
      onDone();
      return refresh('carrierAccounts');
    },
    onError: showFaults(form),
  });
}

type AccountDraftForm = UseFormReturnType<AccountDraft>;

function CarrierFields({ form }: { form: AccountDraftForm }): ReactNode {
  return (
    <>
      <NativeSelect
        label={texts.form.kind}
        data={carrierKinds.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
        data-testid="carrier-kind"
        {...form.getInputProps('kind')}
      />
      {form.values.kind === 'twilio' && (
        <TextInput
          label={texts.form.sid.label}
          description={texts.form.sid.hint}
          withAsterisk
          autoComplete="off"
          data-testid="carrier-sid"
          {...form.getInputProps('account_sid')}
        />
      )}
    </>
  );
}

function SharedSwitch({ form }: { form: AccountDraftForm }): ReactNode {
  if (!useIsOperator()) return null;
  return (
    <Switch
      label={texts.form.shared.label}
      description={texts.form.shared.hint}
      data-testid="carrier-shared"
      {...form.getInputProps('is_shared', { type: 'checkbox' })}
    />
  );
}

function draftOf(account: CarrierAccountRecord | null): AccountDraft {
  const kind = account?.kind ?? 'twilio';
  return { name: account?.name ?? '', kind, account_sid: '', secret: '', is_shared: false };
}

/** In a dialog. */
export function AccountForm({ account, onDone }: AccountFormProps): ReactNode {
  const form = useForm<AccountDraft>({ initialValues: draftOf(account), clearInputErrorOnChange: true });
  const save = useSave(form, { account, onDone });
  const secret = form.values.kind === 'twilio' ? texts.form.token : texts.form.key;
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={account ? texts.form.save : texts.form.create}
      testId="carrier-save"
      fields={['name', 'kind', 'account_sid', 'secret']}
    >
      <TextInput
        label={texts.form.name}
        withAsterisk
        autoComplete="off"
        data-testid="carrier-name"
        {...form.getInputProps('name')}
      />
      {!account && <CarrierFields form={form} />}
      <SecretField
        label={secret.label}
        description={account ? texts.form.kept : secret.hint}
        withAsterisk={!account}
        data-testid="carrier-secret"
        {...form.getInputProps('secret')}
      />
      {!account && <SharedSwitch form={form} />}
    </DraftForm>
  );
}
