/** The diagnosis of a SIP trunk: one row for each step, with a verdict and a cure. Begins when it is shown. */
import type { DiagnosisStepRecord } from '@parley/contracts';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import table from '../ui/data-table.module.css';
import { DataTable } from '../ui/data-table.tsx';
import { QueryView } from '../ui/query-view.tsx';
import classes from './trunk-doctor.module.css';
import { texts } from './texts.ts';

function StepRow({ step }: { step: DiagnosisStepRecord }): ReactNode {
  return (
    <tr data-testid="diagnosis-step" data-step={step.step} data-verdict={step.verdict}>
      <td className={table['wrap']}>
        {texts.doctor.steps[step.step]}
        <div className={`${table['under']} ${classes['verdict']}`} data-verdict={step.verdict}>
          {texts.doctor.verdicts[step.verdict]}
        </div>
      </td>
      <td className={table['wrap']}>
        {step.message}
        {step.cure !== null && <div className={table['under']}>{texts.doctor.cure(step.cure)}</div>}
      </td>
    </tr>
  );
}

/** Asks again each time it is shown, because the trunk may have been changed. */
export function TrunkDoctor({ trunkId }: { trunkId: number }): ReactNode {
  const client = useTRPCClient();
  const diagnosis = useQuery({
    queryKey: ['trunk-diagnosis', trunkId],
    queryFn: () => client.sipTrunks.diagnose.mutate({ id: trunkId }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const pending = (
    <Stack gap="sm">
      <Text size="sm">{texts.doctor.running}</Text>
      <Skeleton h={240} radius="lg" />
    </Stack>
  );
  return (
    <QueryView query={diagnosis} pending={pending}>
      {(data) => (
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {texts.doctor.intro}
          </Text>
          <DataTable columns={[]}>
            {data.steps.map((step) => (
              <StepRow key={step.step} step={step} />
            ))}
          </DataTable>
          <Button
            variant="default"
            loading={diagnosis.isFetching}
            data-testid="diagnose-again"
            onClick={() => {
              diagnosis.refetch().catch(() => undefined);
            }}
          >
            {texts.doctor.again}
          </Button>
        </Stack>
      )}
    </QueryView>
  );
}
