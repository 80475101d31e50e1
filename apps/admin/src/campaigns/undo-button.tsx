/** Takes an import back, after asking. */
import type { ImportRecord } from '@parley/contracts';
import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';

/** Everything about the campaign is asked for again afterwards. */
export function UndoButton({ record }: { record: ImportRecord }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const undo = useMutation(
    trpc.campaigns.undoImport.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.campaigns.pathFilter()),
    }),
  );
  return (
    <AskFirst
      action="Undo"
      label={`Undo the import of ${record.file_name ?? 'a file'}`}
      look={{ size: 'xs', variant: 'default' }}
      question="Undo this import?"
      keep="Keep the leads"
      testId="import-undo"
      run={() => undo.mutateAsync({ id: record.id })}
    >
      <Text size="sm">
        Its leads that were never called are removed, with the report. Leads that were called, or are being
        called, stay.
      </Text>
    </AskFirst>
  );
}
