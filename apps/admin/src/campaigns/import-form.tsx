/** The form that a file of leads is sent with. What is wrong with the file is said by the server. */
import { Button, FileInput, Group, Progress, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { type FileHeader, guessColumns, mappingOf, type PickedColumn } from './import-columns.rules.ts';
import { ImportColumns } from './import-columns.tsx';
import { type LeadFile, uploadLeads } from './upload-leads.ts';
import { inBackground } from '../client/in-background.ts';
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

/** Of a file: enough for its header, and never more characters than that. */
const START_BYTES = 32 * 1024;
const NO_HEADER: FileHeader = { columns: [], phoneColumn: null };

/** The chosen file, its columns as the server reads them, and what was picked for each. */
function useFileColumns() {
  const trpc = useTRPC();
  const [file, setFile] = useState<File | null>(null);
  const [picked, setPicked] = useState<PickedColumn[]>([]);
  const header = useMutation(trpc.campaigns.fileColumns.mutationOptions());
  const chooseFile = async (chosen: File | null): Promise<void> => {
    setFile(chosen);
    setPicked([]);
    header.reset();
    if (!chosen) return;
    const start = await chosen.slice(0, START_BYTES).text();
    header.mutate({ start }, { onSuccess: (data) => setPicked(guessColumns(data)) });
  };
  const refusal = header.error && readRequestError(header.error);
  const fault = refusal && (refusal.fields['file']?.[0] ?? refusal.message);
  const mapping = mappingOf(picked, header.data ?? NO_HEADER);
  return { file, chooseFile, isRead: header.isSuccess, fault, picked, setPicked, mapping };
}

function Sending({ percent }: { percent: number }): ReactNode {
  return (
    <div>
      <Progress
        value={percent}
        aria-label={texts.importForm.sentPercent(percent)}
        data-testid="import-progress"
      />
      <Text size="xs" c="dimmed" mt={4}>
        {percent < 100 ? texts.importForm.sent(percent) : texts.importForm.reading}
      </Text>
    </div>
  );
}

/** Closes when all of the file is imported; closed before, the upload goes on as long as the page is open. */
export function ImportForm({ campaignId, onClose }: ImportFormProps): ReactNode {
  const { upload, percent } = useUpload(onClose);
  const { file, chooseFile, isRead, fault, picked, setPicked, mapping } = useFileColumns();
  const [isDuplicateAllowed, setDuplicateAllowed] = useState(false);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (file) upload.mutate({ campaignId, file, mapping, isDuplicateAllowed });
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <FileInput
          label={texts.importForm.file.label}
          description={texts.importForm.file.hint}
          accept=".csv,.txt,text/csv"
          value={file}
          onChange={(chosen) => inBackground(chooseFile(chosen))}
          error={fault}
          required
          data-testid="import-file"
        />
        <ImportColumns picked={picked} onPick={setPicked} />
        <Switch
          label={texts.importForm.duplicates}
          checked={isDuplicateAllowed}
          onChange={(event) => setDuplicateAllowed(event.currentTarget.checked)}
        />
        {upload.isPending && <Sending percent={percent} />}
        <FormFailure error={upload.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.importForm.close}
          </Button>
          <Button type="submit" loading={upload.isPending} disabled={!isRead} data-testid="import-send">
            {texts.importForm.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
