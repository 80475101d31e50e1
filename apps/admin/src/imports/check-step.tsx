/** The third step of an import: what would become of each row. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ImportCheck } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Section } from '../ui/section.tsx';
import { ImportCheckResult } from './import-check.tsx';
import { texts } from './texts.ts';

interface CheckStepProps {
  check: ImportCheck;
  onImport: () => void;
  onBack: () => void;
}

/** Shown when invalid numbers may be national ones, and the account has no country for these. */
function CountryHint({ check }: { check: ImportCheck }): ReactNode {
  const setting = useQuery(useTRPC().numberCountry.get.queryOptions());
  const hasInvalid = check.refusals.some(({ code }) => code === 'phone_number_invalid');
  if (!hasInvalid || setting.data?.country !== null) return null;
  return (
    <Alert color="yellow" variant="light" data-testid="import-no-country">
      {texts.importCheck.noCountry}
    </Alert>
  );
}

/** Nothing is stored before the button is pressed. */
export function CheckStep({ check, onImport, onBack }: CheckStepProps): ReactNode {
  return (
    <Section title={texts.importCheck.title}>
      <Stack gap="lg">
        <CountryHint check={check} />
        {check.leads === 0 && (
          <Alert color="yellow" variant="light">
            {texts.importForm.none}
          </Alert>
        )}
        <ImportCheckResult check={check} />
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
