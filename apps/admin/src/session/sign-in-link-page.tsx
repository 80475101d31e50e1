/**
 * The page a one-time sign-in link opens. The link is redeemed by a button, not by opening the page,
 * so that the link previews of mail and chat programs do not use it up.
 */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { LinkButton } from '../ui/link-button.tsx';
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
  const redeem = useMutation(trpc.session.redeemLink.mutationOptions({ onSuccess: () => enter('/') }));
  return (
    <SignInFrame title={texts.link.title}>
      <Stack gap="md">
        {redeem.error ? (
          <Alert color="red" variant="light" role="alert">
            {linkMessage(redeem.error)}
          </Alert>
        ) : (
          <Text c="dimmed">{texts.link.intro}</Text>
        )}
        <Button autoFocus fullWidth loading={redeem.isPending} onClick={() => redeem.mutate({ secret })}>
          {texts.link.action}
        </Button>
        {redeem.error && (
          <LinkButton to="/sign-in" variant="default" fullWidth>
            {texts.link.usePassword}
          </LinkButton>
        )}
      </Stack>
    </SignInFrame>
  );
}
