/** The third step of an import: what would become of each row. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ImportCheck } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Section } from '../ui/section.tsx';
import { ImportCheckResult } from './import-check.tsx';
import { texts } from './texts.ts';

interface CheckStepProps {
  check: ImportCheck;
  onImport: () => void;
  onBack: () => void;
}

/** Nothing is stored before the button is pressed. */
export function CheckStep({ check, onImport, onBack }: CheckStepProps): ReactNode {
  return (
    <Section title={texts.importCheck.title}>
      <Stack gap="lg">
        <ImportCheckResult check={check} />
        {check.leads === 0 && (
          <Alert color="yellow" variant="light">
            {texts.importForm.none}
          </Alert>
        )}
        <Group>
          <Button disabled={check.leads === 0} data-testid="import-send" onClick={onImport}>
            {check.is_complete ? texts.importForm.action(check.leads) : texts.importForm.actionAll}
          </Button>
          <Button variant="default" onClick={onBack}>
            {texts.page.back}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
