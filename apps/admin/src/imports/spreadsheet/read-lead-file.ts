/** Reads a chosen file of leads: an Excel file becomes CSV in this browser, so that the server never unpacks a ZIP archive. */
import { texts } from '../texts.ts';
import type { SpreadsheetResult } from './spreadsheet-csv.ts';

/** An Excel file of leads is a few megabytes. */
const MAX_SPREADSHEET_BYTES = 64 * 1024 * 1024;
const CONVERSION_LIMIT_MS = 120_000;

/** A file that cannot be read, with a message for the user. */
export class FileRefusedError extends Error {}

/**
 * @returns CSV, under the name of the chosen file
 * @throws FileRefusedError
 */
export async function readLeadFile(file: File): Promise<File> {
  if (/\.(xls|ods|numbers)$/i.test(file.name)) throw new FileRefusedError(texts.spreadsheet.otherFormat);
  if (!/\.xlsx$/i.test(file.name)) return file;
  if (file.size > MAX_SPREADSHEET_BYTES) throw new FileRefusedError(texts.spreadsheet.faults['too-large']);
  const result = await convert(new Uint8Array(await file.arrayBuffer()));
  if ('fault' in result) throw new FileRefusedError(texts.spreadsheet.faults[result.fault]);
  return new File([result.csv], file.name, { type: 'text/csv', lastModified: file.lastModified });
}

async function convert(bytes: Uint8Array<ArrayBuffer>): Promise<SpreadsheetResult> {
  const worker = new Worker(new URL('spreadsheet-worker.ts', import.meta.url), { type: 'module' });
  const limit = AbortSignal.timeout(CONVERSION_LIMIT_MS);
  try {
    return await new Promise<SpreadsheetResult>((resolve) => {
      const giveUp = (): void => resolve({ fault: 'unreadable' });
      worker.addEventListener('message', ({ data }: MessageEvent<SpreadsheetResult>) => resolve(data));
      worker.addEventListener('error', giveUp);
      limit.addEventListener('abort', giveUp);
      worker.postMessage(bytes, [bytes.buffer]);
    });
  } finally {
    worker.terminate();
  }
}
