/** Revokes a token after confirmation. */
import type { TokenRecord } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { texts } from './texts.ts';

/** Reloads the list, in which a revoked token has no button. */
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
      question={texts.revoke.question(token.name)}
      text={texts.revoke.text}
      keep={texts.revoke.keep}
      testId="token-revoke"
      run={() => revoke.mutateAsync({ id: token.id })}
    />
  );
}
