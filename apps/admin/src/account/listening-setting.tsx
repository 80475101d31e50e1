/** Whether customers are told when a supervisor listens in to their call. A change is saved at once. */
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { texts } from './texts.ts';

/** @param isAnnounced - the stored setting */
export function ListeningSetting({ isAnnounced }: { isAnnounced: boolean }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(
    trpc.account.announceListening.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.account.announcesListening.queryFilter()),
    }),
  );
  return (
    <>
      <Switch
        label={texts.listening.label}
        description={texts.listening.hint}
        checked={change.isPending ? change.variables.is_announced : isAnnounced}
        disabled={change.isPending}
        data-testid="announces-listening"
        onChange={(event) => change.mutate({ is_announced: event.currentTarget.checked })}
      />
      <FormFailure error={change.error} mt="sm" />
    </>
  );
}
