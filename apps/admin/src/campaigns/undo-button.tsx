/** Takes an import back, after asking. */
import type { ImportRecord } from '@parley/contracts';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Everything about the campaign is asked for again afterwards. */
export function UndoButton({ record }: { record: ImportRecord }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, confirmation] = useDisclosure(false);
  const undo = useMutation(
    trpc.campaigns.undoImport.mutationOptions({
      onSuccess: confirmation.close,
      onSettled: () => queryClient.invalidateQueries(trpc.campaigns.pathFilter()),
    }),
  );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Undo the import of ${record.file_name ?? 'a file'}`}
        data-testid="import-undo"
        loading={undo.isPending}
        onClick={confirmation.open}
      >
        Undo
      </Button>
      <Dialog title="Undo this import?" isOpen={isOpen} onClose={confirmation.close}>
        <Text size="sm">
          Its leads that were never called are removed, with the report. Leads that were called, or are being
          called, stay.
        </Text>
        {undo.error && (
          <Alert color="red" variant="light" role="alert" mt="md">
            {readRequestError(undo.error).message}
          </Alert>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={confirmation.close}>
            Keep the leads
          </Button>
          <Button
            color="red"
            loading={undo.isPending}
            data-testid="import-undo-confirm"
            onClick={() => undo.mutate({ id: record.id })}
          >
            Undo
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
