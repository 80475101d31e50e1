/** Changes the own password, or sets the first or a forgotten one of a user who has signed in by link. */
import type { AppRouter } from '@parley/api/router';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { SecretField } from '../ui/secret-field.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { AttemptFailure } from './attempt-failure.tsx';
import { texts } from './texts.ts';

type PasswordState = inferRouterOutputs<AppRouter>['account']['password'];

const EMPTY = { current_password: '', new_password: '' };
const FIELDS = Object.keys(EMPTY);

function usePasswordForm(isCurrentAsked: boolean) {
  return useForm({
    initialValues: EMPTY,
    validate: {
      current_password: (value) => (isCurrentAsked && value === '' ? texts.password.currentMissing : null),
      new_password: (value) => (value === '' ? texts.password.newMissing : null),
    },
  });
}

/** The result of the last attempt. */
function Outcome({ error, isChanged }: { error: unknown; isChanged: boolean }): ReactNode {
  if (isChanged)
    return (
      <Alert color="green" variant="light" role="status" data-testid="password-changed">
        {texts.password.changed}
      </Alert>
    );
  return <AttemptFailure error={error} fields={FIELDS} />;
}

function hintOf({ is_set: isSet, is_current_asked: isCurrentAsked }: PasswordState): string {
  if (!isSet) return texts.password.none;
  return isCurrentAsked ? texts.password.hint : texts.password.byLink;
}

/** Empties its fields after a change. The current password, which the browser may fill in, is no edit. */
export function PasswordForm({ state }: { state: PasswordState }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = usePasswordForm(state.is_current_asked);
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      // The variables contain the passwords, which must not stay in memory.
      gcTime: 0,
      onSuccess: () => form.reset(),
      onError: showFaults(form),
      // Also after a refusal: the hour in which the current password is not asked for may be over.
      onSettled: () => queryClient.invalidateQueries(trpc.account.pathFilter()),
    }),
  );
  const once = useSubmitOnce();
  useUnsavedChanges({ isDirty: form.values.new_password !== '', isBeingSaved: change.isPending });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => once(() => change.mutate(values)))}>
      <Stack gap="md" maw={420}>
        <Text size="sm" c="dimmed">
          {hintOf(state)}
        </Text>
        <Outcome error={change.error} isChanged={change.isSuccess} />
        {state.is_current_asked && (
          <SecretField
            label={texts.password.current}
            autoComplete="current-password"
            data-testid="current-password"
            {...form.getInputProps('current_password')}
          />
        )}
        <SecretField
          label={texts.password.new}
          description={texts.password.newHint}
          data-testid="new-password"
          {...form.getInputProps('new_password')}
        />
        <Button type="submit" loading={change.isPending} data-testid="change-password" w="fit-content">
          {state.is_current_asked ? texts.password.change : texts.password.set}
        </Button>
      </Stack>
    </form>
  );
}
