/** Turns files of users into text, in a process with limits. */
import type { Clock } from '@parley/runtime';
import { runLimited } from '@parley/runtime/limited-process';

/** The file, and how it is to be read. */
export interface FileToExtract {
  type: 'pdf' | 'docx' | 'txt' | 'md' | 'html';
  content: Uint8Array;
  /** Nothing more is read after this many. */
  maxCharacters: number;
}

/** The text and, of a web page, its links; or why there is none, as a sentence for the owner. */
export type Extract = { text: string; links: string[] } | { failure: string };

const PROCESSOR_LIMIT_MS = 30_000;

/** Never rejects for a file that cannot be read. */
export async function extractText(clock: Clock, file: FileToExtract): Promise<Extract> {
  return runLimited<Extract>({
    file: new URL('./extract-worker.ts', import.meta.url),
    workerData: file,
    processorLimitMs: PROCESSOR_LIMIT_MS,
    clock,
  });
}
