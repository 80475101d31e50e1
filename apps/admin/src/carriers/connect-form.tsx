/** Sets up the SIP trunk of a carrier account. */
import type { CarrierAccountRecord } from '@parley/contracts';
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
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
  const form = useForm({ initialValues: { sip_address: '' }, clearInputErrorOnChange: true });
  const connect = useMutation(
    trpc.carrierAccounts.connect.mutationOptions({
      onSuccess: async () => {
        onDone();
        await refresh('carrierAccounts', 'sipTrunks');
      },
      onError: (error) => form.setErrors(firstMessages(readRequestError(error).fields)),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={connect}
      onSubmit={({ sip_address: address }) =>
        connect.mutate({ id: account.id, sip_address: address.trim() || null })
      }
      onCancel={onDone}
      action={texts.connect.action}
      testId="carrier-connect-save"
      fields={account.kind === 'twilio' ? ['sip_address'] : []}
    >
      <Text size="sm">{texts.connect[account.kind]}</Text>
      {account.kind === 'twilio' && (
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
    </DraftForm>
  );
}
