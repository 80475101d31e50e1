/** The form of a new or existing SIP trunk. The server validates it, and its faults are shown at the fields. */
import {
  trunkCodecs,
  type TrunkRecord,
  trunkDtmf,
  trunkMediaEncryptions,
  trunkTransports,
} from '@parley/contracts';
import { MultiSelect, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ChangeEvent, ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import fields from '../ui/field-columns.module.css';
import { SecretField } from '../ui/secret-field.tsx';
import {
  draftOf,
  emptyTrunk,
  passwordHint,
  toNewTrunk,
  toTrunkChanges,
  type TrunkDraft,
  withTransport,
} from './trunk-draft.rules.ts';
import { NumberFields, PresetField } from './trunk-number-fields.tsx';
import { texts } from './texts.ts';

interface TrunkFormProps {
  /** Absent: a new one. */
  trunk?: TrunkRecord;
  onDone: () => void;
}

type TrunkDraftForm = UseFormReturnType<TrunkDraft>;

const TRANSPORTS = trunkTransports.map((value) => ({ value, label: value.toUpperCase() }));

const MEDIA_ENCRYPTIONS = trunkMediaEncryptions.map((value) => ({
  value,
  label: texts.trunkForm.mediaEncryption[value],
}));

const CODECS = trunkCodecs.map((value) => ({ value, label: texts.trunkForm.codecs[value] }));

const DTMF_SETTINGS = trunkDtmf.map((value) => ({ value, label: texts.trunkForm.dtmf[value] }));

const REACHES = [
  { value: 'any', label: texts.trunkForm.reach.any },
  { value: 'fictional', label: texts.trunkForm.reach.fictional },
];

function AddressFields({ form }: { form: TrunkDraftForm }): ReactNode {
  return (
    <>
      <TextInput
        label={texts.trunkForm.host.label}
        description={texts.trunkForm.host.hint}
        placeholder={texts.trunkForm.host.placeholder}
        withAsterisk
        autoComplete="off"
        data-testid="trunk-host"
        {...form.getInputProps('host')}
      />
      <div className={fields['columns']}>
        <TextInput
          label={texts.trunkForm.port.label}
          description={texts.trunkForm.port.hint}
          inputMode="numeric"
          data-testid="trunk-port"
          {...form.getInputProps('port')}
        />
        <NativeSelect
          label={texts.trunkForm.transport}
          data={TRANSPORTS}
          data-testid="trunk-transport"
          value={form.values.transport}
          error={form.errors['transport']}
          onChange={(event) => form.setValues(withTransport(form.values, readTransport(event)))}
        />
      </div>
      {form.values.transport === 'tls' && <SecurityFields form={form} />}
      <RoutingFields form={form} />
    </>
  );
}

function RoutingFields({ form }: { form: TrunkDraftForm }): ReactNode {
  return (
    <>
      <TextInput
        label={texts.trunkForm.otherHosts.label}
        description={texts.trunkForm.otherHosts.hint}
        placeholder={texts.trunkForm.otherHosts.placeholder}
        autoComplete="off"
        data-testid="trunk-other-hosts"
        {...form.getInputProps('other_hosts')}
      />
      <TextInput
        label={texts.trunkForm.priority.label}
        description={texts.trunkForm.priority.hint}
        inputMode="numeric"
        {...form.getInputProps('priority')}
      />
    </>
  );
}

function readTransport(event: ChangeEvent<HTMLSelectElement>): TrunkRecord['transport'] {
  return trunkTransports.find((value) => value === event.currentTarget.value) ?? 'udp';
}

function SecurityFields({ form }: { form: TrunkDraftForm }): ReactNode {
  return (
    <>
      <Switch
        label={texts.trunkForm.tlsVerify.label}
        description={texts.trunkForm.tlsVerify.hint}
        {...form.getInputProps('tls_verify', { type: 'checkbox' })}
      />
      <NativeSelect
        label={texts.trunkForm.mediaEncryption.label}
        description={texts.trunkForm.mediaEncryption.hint}
        data={MEDIA_ENCRYPTIONS}
        data-testid="trunk-media-encryption"
        {...form.getInputProps('media_encryption')}
      />
    </>
  );
}

function AccountFields({ form, trunk }: { form: TrunkDraftForm; trunk: TrunkRecord | undefined }): ReactNode {
  return (
    <>
      <TextInput
        label={texts.trunkForm.username.label}
        description={texts.trunkForm.username.hint}
        autoComplete="off"
        {...form.getInputProps('username')}
      />
      <TextInput
        label={texts.trunkForm.authUsername.label}
        description={texts.trunkForm.authUsername.hint}
        autoComplete="off"
        data-testid="trunk-auth-username"
        {...form.getInputProps('auth_username')}
      />
      <SecretField
        label={texts.trunkForm.password.label}
        description={texts.trunkForm.password[passwordHint(trunk, form.values)]}
        {...form.getInputProps('password')}
      />
    </>
  );
}

/** The last two matter only for a trunk that registers. */
function RegistrationFields({ form }: { form: TrunkDraftForm }): ReactNode {
  return (
    <>
      <Switch
        label={texts.trunkForm.registers.label}
        description={texts.trunkForm.registers.hint}
        data-testid="trunk-registers"
        {...form.getInputProps('registers', { type: 'checkbox' })}
      />
      {form.values.registers && (
        <div className={fields['columns']}>
          <TextInput
            label={texts.trunkForm.registrar.label}
            description={texts.trunkForm.registrar.hint}
            placeholder={texts.trunkForm.registrar.placeholder}
            autoComplete="off"
            {...form.getInputProps('registrar')}
          />
          <TextInput
            label={texts.trunkForm.registerExpires.label}
            description={texts.trunkForm.registerExpires.hint}
            inputMode="numeric"
            {...form.getInputProps('register_expires')}
          />
        </div>
      )}
    </>
  );
}

function LimitFields({ form }: { form: TrunkDraftForm }): ReactNode {
  return (
    <>
      <TextInput
        label={texts.trunkForm.callerNumber.label}
        description={texts.trunkForm.callerNumber.hint}
        placeholder="+1 212 555 0123"
        type="tel"
        autoComplete="off"
        {...form.getInputProps('caller_number')}
      />
      <TextInput
        label={texts.trunkForm.country.label}
        description={texts.trunkForm.country.hint}
        placeholder={texts.trunkForm.country.placeholder}
        maxLength={2}
        autoComplete="off"
        {...form.getInputProps('default_country')}
      />
      <NativeSelect label={texts.trunkForm.reach.label} data={REACHES} {...form.getInputProps('reach')} />
      <div className={fields['columns']}>
        <TextInput
          label={texts.trunkForm.maxCalls}
          placeholder={texts.trunkForm.noLimit}
          inputMode="numeric"
          {...form.getInputProps('max_calls')}
        />
        <TextInput
          label={texts.trunkForm.maxCps}
          placeholder={texts.trunkForm.noLimit}
          inputMode="numeric"
          {...form.getInputProps('max_cps')}
        />
      </div>
      <TextInput
        label={texts.trunkForm.rtpTimeout.label}
        description={texts.trunkForm.rtpTimeout.hint}
        placeholder="20"
        inputMode="numeric"
        {...form.getInputProps('rtp_timeout_seconds')}
      />
      <MultiSelect
        label={texts.trunkForm.codecs.label}
        description={texts.trunkForm.codecs.hint}
        data={CODECS}
        clearable
        data-testid="trunk-codecs"
        {...form.getInputProps('codecs')}
      />
      <NativeSelect
        label={texts.trunkForm.dtmf.label}
        description={texts.trunkForm.dtmf.hint}
        data={DTMF_SETTINGS}
        {...form.getInputProps('dtmf')}
      />
    </>
  );
}

function DialLimitFields({ form }: { form: TrunkDraftForm }): ReactNode {
  const amounts = useAmounts();
  return (
    <>
      <div className={fields['columns']}>
        <TextInput
          label={texts.trunkForm.perSecond}
          inputMode="numeric"
          {...form.getInputProps('max_calls_per_second')}
        />
        <TextInput
          label={texts.trunkForm.perDay}
          inputMode="numeric"
          data-testid="trunk-calls-per-day"
          {...form.getInputProps('max_calls_per_day')}
        />
        <TextInput
          label={amounts.label(texts.trunkForm.costPerDay)}
          inputMode="decimal"
          {...form.getInputProps('max_cost_per_day')}
        />
      </div>
      <Text size="sm" c="dimmed">
        {texts.trunkForm.dialLimits}
      </Text>
    </>
  );
}

function useSave({ trunk, onDone }: TrunkFormProps, form: TrunkDraftForm) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (draft: TrunkDraft) =>
      trunk
        ? client.sipTrunks.update.mutate({ id: trunk.id, ...toTrunkChanges(draft) })
        : client.sipTrunks.create.mutate(toNewTrunk(draft)),
    onSuccess: () => {
      onDone();
      return refresh('sipTrunks');
    },
    onError: showFaults(form),
  });
}

/** The owner of a trunk cannot be changed later. */
export function TrunkForm(props: TrunkFormProps): ReactNode {
  const { trunk, onDone } = props;
  const isOperator = useIsOperator();
  const form = useForm<TrunkDraft>({
    initialValues: trunk ? draftOf(trunk) : emptyTrunk,
    clearInputErrorOnChange: true,
  });
  const save = useSave(props, form);
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate(draft)}
      onCancel={onDone}
      action={trunk ? texts.trunkForm.save : texts.trunkForm.add}
      testId="trunk-save"
    >
      <PresetField form={form} />
      <TextInput
        label={texts.trunkForm.name}
        withAsterisk
        autoComplete="off"
        data-testid="trunk-name"
        {...form.getInputProps('name')}
      />
      <AddressFields form={form} />
      <AccountFields form={form} trunk={trunk} />
      <RegistrationFields form={form} />
      <LimitFields form={form} />
      <NumberFields form={form} />
      {isOperator && <DialLimitFields form={form} />}
      {isOperator && !trunk && (
        <Switch
          label={texts.trunkForm.shared.label}
          description={texts.trunkForm.shared.hint}
          {...form.getInputProps('is_shared', { type: 'checkbox' })}
        />
      )}
    </DraftForm>
  );
}
