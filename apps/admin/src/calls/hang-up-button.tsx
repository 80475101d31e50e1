/** Ends a live call, after asking. */
import type { CallDetail } from '@parley/contracts';
import { Text } from '@mantine/core';
import { IconPhoneOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { statusLook } from './call-status.rules.ts';

/** Only while the call is live. */
export function HangUpButton({ call }: { call: CallDetail }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const hangUp = useMutation(
    trpc.calls.hangUp.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.calls.get.queryFilter({ id: call.id })),
    }),
  );
  if (!statusLook(call.status).isLive) return null;
  return (
    <AskFirst
      action="Hang up"
      look={{ color: 'red', leftSection: <IconPhoneOff size={18} stroke={1.6} aria-hidden /> }}
      question="Hang up this call?"
      keep="Keep the call"
      testId="hang-up"
      run={() => hangUp.mutateAsync({ id: call.id })}
    >
      <Text size="sm">The customer hears the line drop. What was said so far is kept.</Text>
    </AskFirst>
  );
}
