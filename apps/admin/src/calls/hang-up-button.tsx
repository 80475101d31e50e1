/** Ends a live call, after asking. */
import type { CallDetail } from '@parley/contracts';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPhoneOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { Dialog } from '../ui/dialog.tsx';
import { statusLook } from './call-status.rules.ts';

/** Only while the call is live. */
export function HangUpButton({ call }: { call: CallDetail }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, confirmation] = useDisclosure(false);
  const hangUp = useMutation(
    trpc.calls.hangUp.mutationOptions({
      onSuccess: confirmation.close,
      onSettled: () => queryClient.invalidateQueries(trpc.calls.get.queryFilter({ id: call.id })),
    }),
  );
  if (!statusLook(call.status).isLive) return null;
  return (
    <>
      <Button
        color="red"
        leftSection={<IconPhoneOff size={18} stroke={1.6} aria-hidden />}
        loading={hangUp.isPending || hangUp.isSuccess}
        data-testid="hang-up"
        onClick={confirmation.open}
      >
        Hang up
      </Button>
      <Dialog title="Hang up this call?" isOpen={isOpen} onClose={confirmation.close}>
        <Text size="sm">The customer hears the line drop. What was said so far is kept.</Text>
        {hangUp.error && (
          <Alert color="red" variant="light" role="alert" mt="md">
            {readRequestError(hangUp.error).message}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={confirmation.close}>
            Keep the call
          </Button>
          <Button
            color="red"
            loading={hangUp.isPending}
            data-testid="hang-up-confirm"
            onClick={() => hangUp.mutate({ id: call.id })}
          >
            Hang up
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
