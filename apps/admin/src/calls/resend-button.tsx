/** Resends one webhook, whatever its status. An error is shown below the button. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { texts } from './texts.ts';

/** Refreshes the page of the call after the attempt. */
export function ResendButton({ deliveryId, callId }: { deliveryId: string; callId: number }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const resend = useMutation(
    trpc.calls.resendWebhook.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.calls.get.queryFilter({ id: callId })),
    }),
  );
  return (
    <>
      <Button
        variant="default"
        size="xs"
        mt="xs"
        loading={resend.isPending}
        data-testid="resend"
        onClick={() => resend.mutate({ id: deliveryId })}
      >
        {texts.deliveries.resend}
      </Button>
      {resend.error && (
        <Text size="sm" c="red" role="alert" mt={4}>
          {readRequestError(resend.error).message}
        </Text>
      )}
    </>
  );
}
