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
const MOST_READERS = 2;

let readers = 0;

/** @returns null while the process reads as many texts as it may */
export async function readSuiteApart(clock: Clock, text: string): Promise<ReadSuite | null> {
  if (text.length <= SHORT) return readSuite(text);
  if (readers >= MOST_READERS) return null;
  readers += 1;
  try {
    const read = await runLimited<ReadSuite>({
      file: new URL('./read-suite-worker.ts', import.meta.url),
      workerData: text,
      processorLimitMs: PROCESSOR_LIMIT_MS,
      clock,
    });
    return 'failure' in read ? { faults: [texts.file.line(null, '', read.failure)] } : read;
  } finally {
    readers -= 1;
  }
}
