/** Sets up the SIP trunk of a carrier account, and how its calls come. */
import { type CarrierAccountRecord, carrierInboundWays, carrierOutboundWays } from '@parley/contracts';
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { type ConnectDraft, connectDraftOf, connectRequest, needsSipAddress } from './connect-draft.rules.ts';
import { texts } from './texts.ts';

/** In a dialog. */
export function ConnectForm({
  account,
  onDone,
}: {
  account: CarrierAccountRecord;
  onDone: () => void;
}): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useForm<ConnectDraft>({
    initialValues: connectDraftOf(account),
    clearInputErrorOnChange: true,
  });
  const connect = useMutation(
    trpc.carrierAccounts.connect.mutationOptions({
      onSuccess: async () => {
        onDone();
        await refresh('carrierAccounts', 'sipTrunks');
      },
      onError: showFaults(form),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={connect}
      onSubmit={(draft) => connect.mutate(connectRequest(account, draft))}
      onCancel={onDone}
      action={texts.connect.action}
      testId="carrier-connect-save"
      fields={
        account.kind === 'twilio'
          ? ['inbound_calls', 'outbound_calls', 'sip_address']
          : ['inbound_calls', 'outbound_calls']
      }
    >
      <ConnectFields form={form} kind={account.kind} />
    </DraftForm>
  );
}

function ConnectFields({
  form,
  kind,
}: {
  form: UseFormReturnType<ConnectDraft>;
  kind: CarrierAccountRecord['kind'];
}): ReactNode {
  const { inbound_calls: way } = form.values;
  return (
    <>
      <NativeSelect
        label={texts.connect.inbound.label}
        data={carrierInboundWays.map((value) => ({ value, label: texts.connect.inbound.ways[value] }))}
        data-testid="carrier-inbound-calls"
        {...form.getInputProps('inbound_calls')}
      />
      <Text size="sm">{texts.connect[kind][way]}</Text>
      <OutboundField form={form} kind={kind} />
      {needsSipAddress({ kind }, form.values) && (
        <TextInput
          label={texts.connect.address.label}
          description={texts.connect.address.hint}
          placeholder={texts.connect.address.placeholder}
          withAsterisk
          autoComplete="off"
          data-testid="carrier-sip-address"
          {...form.getInputProps('sip_address')}
        />
      )}
    </>
  );
}

function OutboundField({
  form,
  kind,
}: {
  form: UseFormReturnType<ConnectDraft>;
  kind: CarrierAccountRecord['kind'];
}): ReactNode {
  return (
    <>
      <NativeSelect
        label={texts.connect.outbound.label}
        data={carrierOutboundWays.map((value) => ({ value, label: texts.connect.outbound.ways[value] }))}
        data-testid="carrier-outbound-calls"
        {...form.getInputProps('outbound_calls')}
      />
      <Text size="sm">{texts.connect.outbound.hints[kind][form.values.outbound_calls]}</Text>
    </>
  );
}
