/** Resends one webhook, whatever its status. An error is shown below the button. */
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { texts } from './texts.ts';

/** Refreshes the pages that show the webhook. */
export function ResendButton({ deliveryId }: { deliveryId: string }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const resend = useMutation({
    mutationFn: () => client.webhooks.resend.mutate({ id: deliveryId }),
    onSettled: () => refresh('calls', 'webhooks'),
  });
  const once = useSubmitOnce();
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        mt="xs"
        loading={resend.isPending}
        data-testid="resend"
        onClick={() => once(() => resend.mutate())}
      >
        {texts.deliveries.resend}
      </Button>
      {resend.error && (
        <Text size="sm" c="red" role="alert" mt={4}>
          {readRequestError(resend.error).message}
        </Text>
      )}
    </div>
  );
}
