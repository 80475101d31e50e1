/** Undoes an import after confirmation. */
import type { ImportRecord } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { texts } from './texts.ts';

interface UndoButtonProps {
  record: ImportRecord;
  /** Runs with the number of leads that stay, because they were called. */
  onUndone?: (kept: number) => void;
}

/** Reloads everything about the campaign afterwards. */
export function UndoButton({ record, onUndone }: UndoButtonProps): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const undo = useMutation(
    trpc.campaigns.undoImport.mutationOptions({
      onSuccess: ({ kept }) => onUndone?.(kept),
      onSettled: () => queryClient.invalidateQueries(trpc.campaigns.pathFilter()),
    }),
  );
  return (
    <AskFirst
      action={texts.undo.action}
      label={texts.undo.label(record.file_name ?? texts.imports.unnamed)}
      question={texts.undo.question}
      text={texts.undo.text}
      keep={texts.undo.keep}
      testId="import-undo"
      run={() => undo.mutateAsync({ id: record.id })}
    />
  );
}
