/**
 * Reads, in a process with limits, a suite that a user has stored: some texts of a few kilobytes occupy the YAML parser for
 * seconds, because its checks of keys, anchors and brackets are quadratic.
 */
import type { Clock } from '@parley/runtime';
import { runLimited } from '@parley/runtime/limited-process';
import { readSuite, type ReadSuite } from './read-suite.ts';
import { texts } from './suite-texts.ts';

/** Characters. A shorter text is read at once: it takes some milliseconds, a process takes longer to start. */
const SHORT = 4000;
const PROCESSOR_LIMIT_MS = 10_000;
/** At the same time: each occupies a processor. */
const MOST_READERS = 3;
/** The editor of a suite checks it while an earlier text is still being checked, and saves it. */
const MOST_OF_USER = 2;

/** The users whose texts are being read, for each text. */
const readers: number[] = [];

/** @returns null while the process reads as many texts as it may, or two of the user */
export async function readSuiteApart(clock: Clock, userId: number, text: string): Promise<ReadSuite | null> {
  if (text.length <= SHORT) return readSuite(text);
  const own = readers.filter((reader) => reader === userId).length;
  if (readers.length >= MOST_READERS || own >= MOST_OF_USER) return null;
  readers.push(userId);
  try {
    const read = await runLimited<ReadSuite>({
      file: new URL('./read-suite-worker.ts', import.meta.url),
      workerData: text,
      processorLimitMs: PROCESSOR_LIMIT_MS,
      clock,
    });
    return 'failure' in read ? { faults: [texts.file.line(null, '', read.failure)] } : read;
  } finally {
    readers.splice(readers.indexOf(userId), 1);
  }
}
