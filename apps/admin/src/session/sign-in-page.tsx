/** Sign-in with e-mail and password, and in a second step with a code where the user has a second factor. */
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { CodeField, codeFault } from './code-field.tsx';
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

interface Credentials {
  email: string;
  password: string;
  code: string;
}

function useSignInForm(isCodeNeeded: boolean) {
  return useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', code: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : texts.signIn.emailMissing),
      password: (value) => (value === '' ? texts.signIn.passwordMissing : null),
      code: (value) => (isCodeNeeded && value.trim() === '' ? texts.code.missing : null),
    },
  });
}

function PasswordFields({ form }: { form: UseFormReturnType<Credentials> }): ReactNode {
  return (
    <>
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
    </>
  );
}

/** The page at `/sign-in`; afterwards it leads to the address in `next`. */
export function SignInPage(): ReactNode {
  const trpc = useTRPC();
  const enter = useEnter();
  const { next } = route.useSearch();
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const form = useSignInForm(isCodeNeeded);
  const signIn = useMutation(
    trpc.session.signIn.mutationOptions({
      // The variables contain the password, which must not stay in memory.
      gcTime: 0,
      onSuccess: () => enter(next ?? '/'),
      onError: (error) => {
        // The first of these errors only asks for the code.
        if (codeFault(error) !== null && !isCodeNeeded) setCodeNeeded(true);
        else form.setErrors(firstMessages(readRequestError(error).fields));
      },
    }),
  );
  const once = useSubmitOnce();
  const back = (): void => {
    form.reset();
    signIn.reset();
    setCodeNeeded(false);
  };
  const submit = ({ code, ...password }: Credentials): void =>
    once(() => signIn.mutate(isCodeNeeded ? { ...password, code } : password));
  return (
    <SignInFrame title={texts.signIn.title}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="md">
          {signIn.error && codeFault(signIn.error) === null && (
            <Alert color="red" variant="light" role="alert">
              {signInMessage(signIn.error)}
            </Alert>
          )}
          {isCodeNeeded ? (
            <CodeField key={form.key('code')} {...form.getInputProps('code')} />
          ) : (
            <PasswordFields form={form} />
          )}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {texts.signIn.title}
          </Button>
          {isCodeNeeded && (
            <Button variant="default" fullWidth onClick={back}>
              {texts.code.back}
            </Button>
          )}
        </Stack>
      </form>
    </SignInFrame>
  );
}
