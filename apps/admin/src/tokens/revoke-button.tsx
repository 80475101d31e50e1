/** Revokes a token, after asking. */
import type { TokenRecord } from '@parley/contracts';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { Dialog } from '../ui/dialog.tsx';

/** The list is asked for again afterwards, and the button goes with its reason. */
export function RevokeButton({ token }: { token: TokenRecord }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, confirmation] = useDisclosure(false);
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      onSuccess: confirmation.close,
      onSettled: () => queryClient.invalidateQueries(trpc.tokens.list.queryFilter()),
    }),
  );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Revoke ${token.name}`}
        data-testid="token-revoke"
        loading={revoke.isPending || revoke.isSuccess}
        onClick={confirmation.open}
      >
        Revoke
      </Button>
      <Dialog title={`Revoke ${token.name}?`} isOpen={isOpen} onClose={confirmation.close}>
        <Text size="sm">
          Whatever uses it is refused from the next request on. A revoked token cannot be brought back.
        </Text>
        {revoke.error && (
          <Alert color="red" variant="light" role="alert" mt="md">
            {readRequestError(revoke.error).message}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={confirmation.close}>
            Keep the token
          </Button>
          <Button
            color="red"
            loading={revoke.isPending}
            data-testid="token-revoke-confirm"
            onClick={() => revoke.mutate({ id: token.id })}
          >
            Revoke
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
