/** The form that imports a file of leads: choose it, assign its columns, check it, import it. The server validates the file. */
import type { ImportCheck } from '@parley/contracts';
import { Button, FileInput, Group, Progress, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { NumberCountryField } from '../number-country/number-country-field.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { ImportCheckResult } from './import-check.tsx';
import { type FileHeader, guessColumns, mappingOf, type PickedColumn } from './import-columns.rules.ts';
import { ImportColumns } from './import-columns.tsx';
import { checkLeads, type LeadFile, uploadLeads } from './upload-leads.ts';
import { FileRefusedError, readLeadFile } from './spreadsheet/read-lead-file.ts';
import { texts } from './texts.ts';

interface ImportFormProps {
  campaignId: number;
  onClose: () => void;
}

function useUpload(onClose: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [percent, setPercent] = useState(0);
  const renew = () => queryClient.invalidateQueries(trpc.campaigns.pathFilter());
  const upload = useMutation({
    mutationFn: (file: LeadFile) => uploadLeads(file, setPercent),
    onSuccess: onClose,
    onSettled: renew,
  });
  return { upload, percent };
}

/** Of a file: enough for its header. */
const START_BYTES = 30 * 1024;
const NO_HEADER: FileHeader = { columns: [], phoneColumn: null };

/** The chosen file, its columns as the server reads them, and what was picked for each. */
function useFileColumns() {
  const [file, setFile] = useState<File | null>(null);
  const [picked, setPicked] = useState<PickedColumn[]>([]);
  const client = useTRPCClient();
  const read = useMutation({
    mutationFn: async (chosen: File) => {
      const csv = await readLeadFile(chosen);
      const header = await client.campaigns.fileColumns.mutate({ start: await startOf(csv) });
      return { csv, header };
    },
    onSuccess: ({ header }) => setPicked(guessColumns(header)),
  });
  const chooseFile = (chosen: File | null): void => {
    setFile(chosen);
    setPicked([]);
    read.reset();
    if (chosen) read.mutate(chosen);
  };
  const mapping = mappingOf(picked, read.data?.header ?? NO_HEADER);
  return {
    file,
    csv: read.data?.csv ?? null,
    chooseFile,
    fault: read.error && faultOf(read.error),
    picked,
    setPicked,
    mapping,
  };
}

/** The first bytes in base64: the server finds out the encoding. */
async function startOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function faultOf(error: Error): string {
  if (error instanceof FileRefusedError) return error.message;
  const { fields, message } = readRequestError(error);
  return fields['file']?.[0] ?? message;
}

function Sending({ percent, after }: { percent: number; after: string }): ReactNode {
  return (
    <div>
      <Progress
        value={percent}
        aria-label={texts.importForm.sentPercent(percent)}
        data-testid="import-progress"
      />
      <Text size="xs" c="dimmed" mt={4}>
        {percent < 100 ? texts.importForm.sent(percent) : after}
      </Text>
    </div>
  );
}

/** The check of the file as it is now: a change of the file or of the options makes it void. */
function useCheck(current: LeadFile | null) {
  const [percent, setPercent] = useState(0);
  const check = useMutation({ mutationFn: (file: LeadFile) => checkLeads(file, setPercent) });
  const isCurrent =
    JSON.stringify(check.variables) === JSON.stringify(current) && check.variables?.file === current?.file;
  return {
    check,
    percent,
    result: isCurrent ? check.data : undefined,
    error: isCurrent ? check.error : null,
  };
}

function SubmitButton({ result, isBusy, isRead }: SubmitButtonProps): ReactNode {
  if (!result)
    return (
      <Button type="submit" loading={isBusy} disabled={!isRead} data-testid="import-check">
        {texts.importForm.check}
      </Button>
    );
  return (
    <Button type="submit" loading={isBusy} disabled={result.leads === 0} data-testid="import-send">
      {result.is_complete ? texts.importForm.action(result.leads) : texts.importForm.actionAll}
    </Button>
  );
}

interface SubmitButtonProps {
  /** Of the check; undefined: the file has to be checked first. */
  result: ImportCheck | undefined;
  isBusy: boolean;
  isRead: boolean;
}

/** Checks the file, then imports it. Closed while it imports, the upload goes on as long as the page is open. */
export function ImportForm({ campaignId, onClose }: ImportFormProps): ReactNode {
  const { upload, percent } = useUpload(onClose);
  const { file, csv, chooseFile, fault, picked, setPicked, mapping } = useFileColumns();
  const [isDuplicateAllowed, setDuplicateAllowed] = useState(false);
  const current = csv && { campaignId, file: csv, mapping, isDuplicateAllowed };
  const checked = useCheck(current);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (current) (checked.result ? upload : checked.check).mutate(current);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FileInput
          label={texts.importForm.file.label}
          description={texts.importForm.file.hint}
          accept=".csv,.txt,.xlsx,text/csv"
          value={file}
          onChange={chooseFile}
          error={fault}
          required
          data-testid="import-file"
        />
        <NumberCountryField onChange={checked.check.reset} />
        <ImportColumns picked={picked} onPick={setPicked} />
        <Switch
          label={texts.importForm.duplicates}
          checked={isDuplicateAllowed}
          onChange={(event) => setDuplicateAllowed(event.currentTarget.checked)}
        />
        {checked.result && <ImportCheckResult check={checked.result} />}
        {checked.check.isPending && <Sending percent={checked.percent} after={texts.importForm.checking} />}
        {upload.isPending && <Sending percent={percent} after={texts.importForm.reading} />}
        <FormFailure error={checked.error ?? upload.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.importForm.close}
          </Button>
          <SubmitButton
            result={checked.result}
            isBusy={checked.check.isPending || upload.isPending}
            isRead={csv !== null}
          />
        </Group>
      </Stack>
    </form>
  );
}
