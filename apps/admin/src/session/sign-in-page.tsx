/** Sign-in with e-mail and password. */
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { useEnter } from './use-enter.ts';
import { texts } from './texts.ts';

const route = getRouteApi('/sign-in');

/** The message for a refused sign-in. */
function signInMessage(error: unknown): string {
  const { kind, message } = readRequestError(error);
  if (kind === 'unauthenticated') return texts.signIn.wrong;
  if (kind === 'too-many') return texts.signIn.tooMany;
  return message;
}

/** The page at `/sign-in`; afterwards it leads to the address in `next`. */
export function SignInPage(): ReactNode {
  const trpc = useTRPC();
  const enter = useEnter();
  const { next } = route.useSearch();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : texts.signIn.emailMissing),
      password: (value) => (value === '' ? texts.signIn.passwordMissing : null),
    },
  });
  const signIn = useMutation(
    trpc.session.signIn.mutationOptions({
      onSuccess: () => enter(next ?? '/'),
      onError: (error) => form.setErrors(firstMessages(readRequestError(error).fields)),
    }),
  );
  return (
    <SignInFrame title={texts.signIn.title}>
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
        <Stack gap="md">
          {signIn.error && (
            <Alert color="red" variant="light" role="alert">
              {signInMessage(signIn.error)}
            </Alert>
          )}
          <TextInput
            label={texts.signIn.email}
            type="email"
            autoComplete="username"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={texts.signIn.password}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': texts.signIn.showPassword }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {texts.signIn.title}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
