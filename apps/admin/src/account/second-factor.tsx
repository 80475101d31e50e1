/** The second factor of the own account: off, on, or just switched on. */
import type { AppRouter } from '@parley/api/router';
import { Button, Stack, Text } from '@mantine/core';
import type { inferRouterOutputs } from '@trpc/server';
import { type ReactNode, useState } from 'react';
import { CodeLine } from '../ui/code-line.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import { SecondFactorOffForm } from './second-factor-off-form.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';
import { texts } from './texts.ts';

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): ReactNode {
  useUnsavedChanges({ isDirty: true, question: texts.secondFactor.recovery.leave });
  return (
    <Stack gap="sm" align="flex-start" role="status" data-testid="recovery-codes">
      <Text size="sm">
        <strong>{texts.secondFactor.recovery.once}</strong> {texts.secondFactor.recovery.text}
      </Text>
      <CodeLine code={codes.join('\n')} label={texts.secondFactor.recovery.label} />
      <Button variant="default" data-testid="recovery-codes-done" onClick={onDone}>
        {texts.secondFactor.recovery.done}
      </Button>
    </Stack>
  );
}

interface SecondFactorProps {
  state: inferRouterOutputs<AppRouter>['account']['secondFactor'];
  hasPassword: boolean;
}

/** The recovery codes stay until they are dismissed. */
export function SecondFactor({ state, hasPassword }: SecondFactorProps): ReactNode {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  if (!state.is_enabled) return <SecondFactorSetup hasPassword={hasPassword} onConfirmed={setCodes} />;
  return <SecondFactorOffForm hasPassword={hasPassword} recoveryCodesLeft={state.recovery_codes_left} />;
}
