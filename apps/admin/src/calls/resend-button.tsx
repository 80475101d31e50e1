/** Sends one webhook again, whatever became of it. What is refused is said below the button. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { texts } from './texts.ts';

/** The call's page shows the new try as soon as it was made. */
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
