/** Switches the second factor on: the password, then the secret for the authenticator app and a first code. */
import type { AppRouter } from '@parley/api/router';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { CodeLine } from '../ui/code-line.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { AttemptFailure } from './attempt-failure.tsx';
import { QrCode } from './qr-code.tsx';
import { texts } from './texts.ts';

type NewSecondFactor = inferRouterOutputs<AppRouter>['account']['beginSecondFactor'];

interface BeginFormProps {
  hasPassword: boolean;
  onMade: (made: NewSecondFactor) => void;
}

function BeginForm({ hasPassword, onMade }: BeginFormProps): ReactNode {
  const trpc = useTRPC();
  const form = useForm({
    initialValues: { current_password: '' },
    validate: {
      current_password: (value) => (hasPassword && value === '' ? texts.password.currentMissing : null),
    },
  });
  const begin = useMutation(
    trpc.account.beginSecondFactor.mutationOptions({
      // Password and secret must not stay in memory.
      gcTime: 0,
      onSuccess: onMade,
      onError: showFaults(form),
    }),
  );
  const once = useSubmitOnce();
  return (
    <form noValidate onSubmit={form.onSubmit((values) => once(() => begin.mutate(values)))}>
      <Stack gap="md" maw={420}>
        <Text size="sm" c="dimmed">
          {texts.secondFactor.off}
        </Text>
        <AttemptFailure error={begin.error} fields={['current_password']} />
        {hasPassword && (
          <SecretField
            label={texts.password.current}
            autoComplete="current-password"
            data-testid="second-factor-password"
            {...form.getInputProps('current_password')}
          />
        )}
        <Button type="submit" loading={begin.isPending} data-testid="second-factor-begin" w="fit-content">
          {texts.secondFactor.begin}
        </Button>
      </Stack>
    </form>
  );
}

interface ConfirmFormProps {
  made: NewSecondFactor;
  onConfirmed: (recoveryCodes: string[]) => void;
}

function ConfirmForm({ made, onConfirmed }: ConfirmFormProps): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? texts.secondFactor.codeMissing : null) },
  });
  const confirm = useMutation(
    trpc.account.confirmSecondFactor.mutationOptions({
      gcTime: 0,
      onSuccess: ({ recovery_codes: codes }) => {
        onConfirmed(codes);
        return queryClient.invalidateQueries(trpc.account.pathFilter());
      },
      onError: showFaults(form),
    }),
  );
  const once = useSubmitOnce();
  // The secret is already in the authenticator app, and is not shown again.
  useUnsavedChanges({ isDirty: true, isBeingSaved: confirm.isPending, question: texts.secondFactor.leave });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => once(() => confirm.mutate(values)))}>
      <Stack gap="md" maw={420}>
        <Text size="sm">{texts.secondFactor.scan}</Text>
        <QrCode text={made.address} label={texts.secondFactor.qrCode} />
        <Text size="sm">{texts.secondFactor.typed}</Text>
        <CodeLine code={made.secret} label={texts.secondFactor.secret} />
        <AttemptFailure error={confirm.error} fields={['code']} />
        <TextInput
          label={texts.secondFactor.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-testid="second-factor-first-code"
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={confirm.isPending} data-testid="second-factor-confirm" w="fit-content">
          {texts.secondFactor.confirm}
        </Button>
      </Stack>
    </form>
  );
}

interface SecondFactorSetupProps {
  hasPassword: boolean;
  /** Gets the recovery codes, which no other answer contains. */
  onConfirmed: (recoveryCodes: string[]) => void;
}

/** Leaving the page before the first code changes nothing. */
export function SecondFactorSetup({ hasPassword, onConfirmed }: SecondFactorSetupProps): ReactNode {
  const [made, setMade] = useState<NewSecondFactor | null>(null);
  if (!made) return <BeginForm hasPassword={hasPassword} onMade={setMade} />;
  return <ConfirmForm made={made} onConfirmed={onConfirmed} />;
}
