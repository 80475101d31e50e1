/** Switches the second factor off. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { SecretField } from '../ui/secret-field.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { AttemptFailure } from './attempt-failure.tsx';
import { texts } from './texts.ts';

const EMPTY = { current_password: '', code: '' };
const FIELDS = Object.keys(EMPTY);

interface SecondFactorOffFormProps {
  hasPassword: boolean;
  recoveryCodesLeft: number;
}

/** Needs password and code, like signing in. */
export function SecondFactorOffForm({ hasPassword, recoveryCodesLeft }: SecondFactorOffFormProps): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current_password: (value) => (hasPassword && value === '' ? texts.password.currentMissing : null),
      code: (value) => (value.trim() === '' ? texts.secondFactor.codeMissing : null),
    },
  });
  const disable = useMutation(
    trpc.account.disableSecondFactor.mutationOptions({
      gcTime: 0,
      onSuccess: () => queryClient.invalidateQueries(trpc.account.pathFilter()),
      onError: showFaults(form),
    }),
  );
  const once = useSubmitOnce();
  useUnsavedChanges({ isDirty: form.values.code !== '', isBeingSaved: disable.isPending });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => once(() => disable.mutate(values)))}>
      <Stack gap="md" maw={420}>
        <Text size="sm" data-testid="second-factor-on">
          {texts.secondFactor.on(recoveryCodesLeft)}
        </Text>
        <AttemptFailure error={disable.error} fields={FIELDS} />
        {hasPassword && (
          <SecretField
            label={texts.password.current}
            autoComplete="current-password"
            data-testid="second-factor-password"
            {...form.getInputProps('current_password')}
          />
        )}
        <TextInput
          label={texts.secondFactor.anyCode}
          autoComplete="one-time-code"
          data-testid="second-factor-last-code"
          {...form.getInputProps('code')}
        />
        <Button
          type="submit"
          variant="default"
          loading={disable.isPending}
          data-testid="second-factor-disable"
          w="fit-content"
        >
          {texts.secondFactor.disable}
        </Button>
      </Stack>
    </form>
  );
}
