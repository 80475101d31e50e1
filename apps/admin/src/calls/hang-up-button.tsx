/** Ends a live call after confirmation. */
import type { CallDetail } from '@parley/contracts';
import { IconPhoneOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { statusLook } from './call-status.rules.ts';
import { texts } from './texts.ts';

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
      action={texts.hangUp.action}
      look={{ color: 'red', leftSection: <IconPhoneOff size={18} stroke={1.6} aria-hidden /> }}
      question={texts.hangUp.question}
      text={texts.hangUp.text}
      keep={texts.hangUp.keep}
      testId="hang-up"
      run={() => hangUp.mutateAsync({ id: call.id })}
    />
  );
}
