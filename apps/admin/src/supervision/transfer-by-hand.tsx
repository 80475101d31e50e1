/** Transfers the customer to a destination of the assistant, after confirmation. */
import { Group, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { texts } from './texts.ts';

interface TransferByHandProps {
  callId: number;
  /** At least one. */
  destinations: readonly string[];
}

/** The timeline of the call shows the outcome. */
export function TransferByHand({ callId, destinations }: TransferByHandProps): ReactNode {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState(destinations[0] ?? '');
  const transfer = useMutation(trpc.calls.transfer.mutationOptions());
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={texts.transfer.label}
        data={[...destinations]}
        value={chosen}
        data-testid="transfer-destination"
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <AskFirst
        action={texts.transfer.action}
        look={{ variant: 'default' }}
        question={texts.transfer.question(chosen)}
        text={texts.transfer.text}
        keep={texts.transfer.keep}
        testId="transfer"
        run={() => transfer.mutateAsync({ id: callId, destination: chosen })}
      />
    </Group>
  );
}
