/** The second step of an import: what becomes of each column, and how numbers are read. Then the file is checked. */
import { Button, Group, Stack, Switch } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ImportCheck } from '@parley/contracts';
import type { ReactNode } from 'react';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { Section } from '../ui/section.tsx';
import { ImportColumns } from './import-columns.tsx';
import { Sending } from './sending.tsx';
import { texts } from './texts.ts';
import type { LeadFile } from './upload-leads.ts';
import type { FileColumns } from './use-file-columns.ts';

interface ColumnsStepProps {
  columns: FileColumns;
  isDuplicateAllowed: boolean;
  onDuplicates: (isAllowed: boolean) => void;
  check: Pick<UseMutationResult<ImportCheck, Error, LeadFile>, 'error' | 'isPending'>;
  percent: number;
  onCheck: () => void;
  onBack: () => void;
}

/** Any change makes the last check void. */
export function ColumnsStep({ columns, check, ...props }: ColumnsStepProps): ReactNode {
  return (
    <Section title={texts.importColumns.title}>
      <Stack gap="lg">
        <ImportColumns header={columns.header} picked={columns.picked} onPick={columns.setPicked} />
        <Stack gap="md" maw={480}>
          <NumberCountryField />
          <Switch
            label={texts.importForm.duplicates}
            checked={props.isDuplicateAllowed}
            onChange={(event) => props.onDuplicates(event.currentTarget.checked)}
          />
        </Stack>
        {check.isPending && <Sending percent={props.percent} after={texts.importForm.checking} />}
        <FormFailure error={check.error} fields={[]} />
        <Group>
          <Button loading={check.isPending} data-testid="import-check" onClick={props.onCheck}>
            {texts.importForm.check}
          </Button>
          <Button variant="default" disabled={check.isPending} onClick={props.onBack}>
            {texts.page.otherFile}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
