/** The limits of a run, and the button that starts it. */
import { NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import { texts } from './texts.ts';

interface Draft {
  parallel: number | string;
  max_minutes: number | string;
  max_cost: number | string;
}

/** Opens the page of the new run. */
export function StartForm({ suiteId, onDone }: { suiteId: number; onDone: () => void }): ReactNode {
  const amounts = useAmounts();
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const form = useForm<Draft>({
    initialValues: { parallel: 10, max_minutes: 60, max_cost: '' },
    clearInputErrorOnChange: true,
  });
  const start = useMutation({
    mutationFn: ({ parallel, max_minutes: minutes, max_cost: cost }: Draft) =>
      client.suites.start.mutate({
        id: suiteId,
        draft: {
          parallel: Number(parallel),
          max_minutes: Number(minutes),
          max_cost: cost === '' ? null : Number(cost),
        },
      }),
    onSuccess: async ({ id }) => {
      await refresh('suites', 'suiteRuns');
      onDone();
      await navigate({ to: '/evaluations/runs/$runId', params: { runId: id } });
    },
    onError: showFaults(form),
  });
  return (
    <DraftForm
      form={form}
      save={start}
      onSubmit={(draft) => start.mutate(draft)}
      onCancel={onDone}
      action={texts.start.action}
      testId="suite-start"
      fields={['parallel', 'max_minutes', 'max_cost']}
    >
      <NumberInput
        label={texts.start.parallel.label}
        description={texts.start.parallel.hint}
        min={1}
        max={50}
        {...form.getInputProps('parallel')}
      />
      <NumberInput
        label={texts.start.minutes.label}
        description={texts.start.minutes.hint}
        min={1}
        max={240}
        {...form.getInputProps('max_minutes')}
      />
      <NumberInput
        label={amounts.label(texts.start.cost.label)}
        description={texts.start.cost.hint}
        min={0}
        decimalScale={2}
        {...form.getInputProps('max_cost')}
      />
    </DraftForm>
  );
}
