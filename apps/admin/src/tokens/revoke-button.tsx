/** Revokes a token, after asking. */
import type { TokenRecord } from '@parley/contracts';
import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { texts } from './texts.ts';

/** The list is asked for again afterwards, and the button goes with its reason. */
export function RevokeButton({ token }: { token: TokenRecord }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.tokens.list.queryFilter()),
    }),
  );
  return (
    <AskFirst
      action={texts.revoke.action}
      label={texts.revoke.label(token.name)}
      look={{ size: 'xs', variant: 'default' }}
      question={texts.revoke.question(token.name)}
      keep={texts.revoke.keep}
      testId="token-revoke"
      run={() => revoke.mutateAsync({ id: token.id })}
    >
      <Text size="sm">{texts.revoke.text}</Text>
    </AskFirst>
  );
}
