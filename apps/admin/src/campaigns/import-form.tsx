/** The form that a file of leads is sent with. What is wrong with the file is said by the server. */
import { Button, FileInput, Group, Progress, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { type LeadFile, uploadLeads } from './upload-leads.ts';

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

function Sending({ percent }: { percent: number }): ReactNode {
  return (
    <div>
      <Progress value={percent} aria-label={`${percent} percent sent`} data-testid="import-progress" />
      <Text size="xs" c="dimmed" mt={4}>
        {percent < 100 ? `${percent} % sent` : 'Sent; the last rows are being read'}
      </Text>
    </div>
  );
}

/** Closes when all of the file is imported; closed before, the upload goes on as long as the page is open. */
export function ImportForm({ campaignId, onClose }: ImportFormProps): ReactNode {
  const { upload, percent } = useUpload(onClose);
  const [file, setFile] = useState<File | null>(null);
  const [phoneColumn, setPhoneColumn] = useState('');
  const [isDuplicateAllowed, setDuplicateAllowed] = useState(false);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (file) upload.mutate({ campaignId, file, phoneColumn, isDuplicateAllowed });
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <FileInput
          label="CSV file"
          description="In UTF-8, with the names of the columns in the first row. Every column but the number's becomes a variable."
          accept=".csv,.txt,text/csv"
          value={file}
          onChange={setFile}
          required
          data-testid="import-file"
        />
        <TextInput
          label="Column with the phone number"
          description="Only needed where its name does not say so."
          value={phoneColumn}
          onChange={(event) => setPhoneColumn(event.currentTarget.value)}
        />
        <Switch
          label="Also numbers that the campaign has already"
          checked={isDuplicateAllowed}
          onChange={(event) => setDuplicateAllowed(event.currentTarget.checked)}
        />
        {upload.isPending && <Sending percent={percent} />}
        <FormFailure error={upload.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={upload.isPending} disabled={!file} data-testid="import-send">
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
