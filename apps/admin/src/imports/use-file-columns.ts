/** The chosen file, its columns and first rows as the server reads them, and what was picked for each column. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { type FileHeader, guessColumns, mappingOf, type PickedColumn } from './import-columns.rules.ts';
import { FileRefusedError, readLeadFile } from './spreadsheet/read-lead-file.ts';

/** The bytes that are read of a file: enough for its header and its first rows. */
const START_BYTES = 30 * 1024;
const NO_HEADER: FileHeader = { columns: [], phoneColumn: null, rows: [] };

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

/** One file of the import page. */
export type FileColumns = ReturnType<typeof useFileColumns>;

/** @param onRead - runs when the columns of a chosen file are known */
export function useFileColumns(onRead: () => void) {
  const [file, setFile] = useState<File | null>(null);
  const [picked, setPicked] = useState<PickedColumn[]>([]);
  const client = useTRPCClient();
  const read = useMutation({
    mutationFn: async (chosen: File) => {
      const csv = await readLeadFile(chosen);
      const header = await client.campaigns.fileColumns.mutate({ start: await startOf(csv) });
      return { csv, header };
    },
    onSuccess: ({ header }) => {
      setPicked(guessColumns(header));
      onRead();
    },
  });
  const chooseFile = (chosen: File | null): void => {
    setFile(chosen);
    setPicked([]);
    read.reset();
    if (chosen) read.mutate(chosen);
  };
  const header: FileHeader = read.data?.header ?? NO_HEADER;
  return {
    file,
    csv: read.data?.csv ?? null,
    chooseFile,
    isReading: read.isPending,
    fault: read.error && faultOf(read.error),
    header,
    picked,
    setPicked,
    mapping: mappingOf(picked, header),
  };
}
