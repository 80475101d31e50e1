/** The first step of an import: the file. Its columns are read as soon as it is chosen. */
import { Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';
import type { FileColumns } from './use-file-columns.ts';

/** @param props.onNext - to the columns of the file that was chosen before */
export function FileStep({ columns, onNext }: { columns: FileColumns; onNext: () => void }): ReactNode {
  return (
    <Section title={texts.page.names.file}>
      <Stack gap="md" maw={480}>
        <FileInput
          label={texts.importForm.file.label}
          description={texts.importForm.file.hint}
          placeholder={texts.importForm.file.choose}
          leftSection={<IconFileSpreadsheet size={18} stroke={1.6} aria-hidden />}
          accept=".csv,.txt,.xlsx,text/csv"
          value={columns.file}
          onChange={columns.chooseFile}
          error={columns.fault}
          required
          data-testid="import-file"
        />
        {columns.isReading && (
          <Text size="sm" c="dimmed" role="status">
            {texts.importForm.readingFile}
          </Text>
        )}
        <Group>
          <Button disabled={columns.csv === null} loading={columns.isReading} onClick={onNext}>
            {texts.importForm.next}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
