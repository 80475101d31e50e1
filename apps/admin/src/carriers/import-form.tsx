/** Selects numbers that a carrier account owns, and imports them. */
import type { CarrierAccountRecord, CarrierNumberRecord } from '@parley/contracts';
import { Checkbox, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { texts } from './texts.ts';

interface ImportFormProps {
  account: CarrierAccountRecord;
  onDone: () => void;
}

function Numbers({
  account,
  numbers,
  onDone,
}: ImportFormProps & { numbers: readonly CarrierNumberRecord[] }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useForm<{ phone_numbers: string[] }>({
    initialValues: { phone_numbers: [] },
    clearInputErrorOnChange: true,
  });
  const save = useMutation(
    trpc.carrierAccounts.importNumbers.mutationOptions({
      onSuccess: async () => {
        onDone();
        await refresh('carrierAccounts', 'phoneNumbers', 'lookups');
      },
      onError: showFaults(form),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate({ ...draft, id: account.id })}
      onCancel={onDone}
      action={texts.import.save}
      testId="carrier-import-save"
      fields={['phone_numbers']}
    >
      <Text size="sm">{texts.import.intro}</Text>
      <Checkbox.Group label={texts.import.numbers} {...form.getInputProps('phone_numbers')}>
        <Stack gap="xs" mt="xs">
          {numbers.map(({ phone_number: number }) => (
            <Checkbox key={number} value={number} label={number} data-testid="carrier-number" />
          ))}
        </Stack>
      </Checkbox.Group>
    </DraftForm>
  );
}

/** In a dialog. */
export function ImportForm({ account, onDone }: ImportFormProps): ReactNode {
  const trpc = useTRPC();
  const query = trpc.carrierAccounts.listNumbers.queryOptions({ id: account.id });
  const numbers = useQuery({ ...query, retry: false, staleTime: 0 });
  return (
    <QueryView query={numbers} pending={<Skeleton h={120} radius="lg" />}>
      {(found) => {
        const free = found.filter((number) => !number.is_imported);
        if (free.length === 0) return <Text size="sm">{texts.import.none}</Text>;
        return <Numbers account={account} numbers={free} onDone={onDone} />;
      }}
    </QueryView>
  );
}
