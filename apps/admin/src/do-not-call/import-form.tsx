/** Adds the numbers of a CSV or Excel file to the do-not-call list, and shows what became of its rows. */
import type { DoNotCallImport } from '@parley/contracts';
import { Alert, Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { uploadFile } from '../client/upload-file.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { readLeadFile } from '../imports/spreadsheet/read-lead-file.ts';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Facts } from '../ui/facts.tsx';
import { texts } from './texts.ts';

const words = texts.import;
const COLUMNS: readonly Column[] = [[words.columns.row], [words.columns.value], [words.columns.reason]];

function Result({ result }: { result: DoNotCallImport }): ReactNode {
  return (
    <Stack gap="md" data-testid="do-not-call-imported">
      <Facts
        layout="columns"
        facts={[
          [words.rows, result.rows.toLocaleString('en')],
          [words.added, result.added.toLocaleString('en')],
          [words.known, result.already_listed.toLocaleString('en')],
          [words.refused, result.refused.toLocaleString('en')],
        ]}
      />
      {result.examples.length > 0 && (
        <Stack gap="xs">
          <Text size="sm" fw={500}>
            {words.examples(result.examples.length, result.refused)}
          </Text>
          <DataTable columns={COLUMNS}>
            {result.examples.map(({ row, value, message }) => (
              <tr key={row}>
                <td>{row}</td>
                <td className={`${table['wrap']} ${table['anywhere']}`}>{value || '–'}</td>
                <td className={table['wrap']}>{message}</td>
              </tr>
            ))}
          </DataTable>
        </Stack>
      )}
    </Stack>
  );
}

/** @returns the mutation that sends a file */
function useImport() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (file: File) => {
      const response = await uploadFile('/do-not-call-files/import', await readLeadFile(file));
      return (await response.json()) as DoNotCallImport;
    },
    // Also after a failure: what came before the fault has been added.
    onSettled: () => refresh('doNotCall'),
  });
}

/** Stays open after the import, for its result. */
export function ImportForm({ onDone }: { onDone: () => void }): ReactNode {
  const [file, setFile] = useState<File | null>(null);
  const send = useImport();
  const choose = (chosen: File | null): void => {
    setFile(chosen);
    send.reset();
  };
  return (
    <Stack gap="md">
      <FileInput
        label={words.file.label}
        description={words.file.hint}
        placeholder={words.file.choose}
        accept=".csv,.txt,.xlsx,text/csv"
        value={file}
        onChange={choose}
        disabled={send.isPending}
        data-testid="do-not-call-file"
      />
      <NumberCountryField />
      {send.error && (
        <Alert color="red" variant="light" role="alert">
          {send.error.message}
        </Alert>
      )}
      {send.data && <Result result={send.data} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {send.data ? words.close : words.cancel}
        </Button>
        {!send.data && (
          <Button
            disabled={file === null}
            loading={send.isPending}
            data-testid="do-not-call-import-send"
            onClick={() => file && send.mutate(file)}
          >
            {words.send}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
