/**
 * The page a one-time sign-in link opens. The link is redeemed by a button, not by opening the page,
 * so that the link previews of mail and chat programs do not use it up.
 */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { CodeField, codeFault } from './code-field.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useEnter } from './use-enter.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/sign-in/link/$secret');

function linkMessage(error: unknown): string {
  const { kind, message } = readRequestError(error);
  if (kind === 'unreachable' || kind === 'too-many' || kind === 'failed') return message;
  return texts.link.spent;
}

/** The page at `/sign-in/link/<secret>`. */
export function SignInLinkPage(): ReactNode {
  const trpc = useTRPC();
  const enter = useEnter();
  const { secret } = route.useParams();
  const [code, setCode] = useState('');
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const redeem = useMutation(
    trpc.session.redeemLink.mutationOptions({
      onSuccess: () => enter('/'),
      onError: (error) => setCodeNeeded(codeFault(error) !== null || isCodeNeeded),
    }),
  );
  const once = useSubmitOnce();
  const fault = redeem.error && codeFault(redeem.error);
  const hasFailed = redeem.error !== null && fault === null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    once(() => redeem.mutate(isCodeNeeded ? { secret, code } : { secret }));
  };
  return (
    <SignInFrame title={texts.link.title}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          {hasFailed ? (
            <Alert color="red" variant="light" role="alert">
              {linkMessage(redeem.error)}
            </Alert>
          ) : (
            <Text c="dimmed">{texts.link.intro}</Text>
          )}
          {isCodeNeeded && (
            <CodeField
              value={code}
              error={redeem.variables?.code !== undefined && fault}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          <Button type="submit" autoFocus fullWidth loading={redeem.isPending}>
            {texts.link.action}
          </Button>
          {hasFailed && (
            <LinkButton to="/sign-in" variant="default" fullWidth>
              {texts.link.usePassword}
            </LinkButton>
          )}
        </Stack>
      </form>
    </SignInFrame>
  );
}
