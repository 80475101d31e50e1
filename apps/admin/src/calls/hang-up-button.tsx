/** Ends a live call, after asking. */
import type { CallDetail } from '@parley/contracts';
import { Alert, Button, Group, Modal, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPhoneOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { statusLook } from './call-status.rules.ts';

/** Only while the call is live. */
export function HangUpButton({ call }: { call: CallDetail }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const titleId = useId();
  const hangUp = useMutation(
    trpc.calls.hangUp.mutationOptions({
      onSuccess: dialog.close,
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
        onClick={dialog.open}
      >
        Hang up
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        centered
        withCloseButton={false}
        padding="lg"
        // The scroll lock would write an inline style element; `global.css` locks instead.
        lockScroll={false}
        attributes={{ content: { 'aria-labelledby': titleId } }}
      >
        <Title order={2} size="h4" id={titleId} mb="xs">
          Hang up this call?
        </Title>
        <Text size="sm">The customer hears the line drop. What was said so far is kept.</Text>
        {hangUp.error && (
          <Alert color="red" variant="light" role="alert" mt="md">
            {readRequestError(hangUp.error).message}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={dialog.close}>
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
      </Modal>
    </>
  );
}
