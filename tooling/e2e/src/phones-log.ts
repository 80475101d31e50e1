/** What the phones saw on the wire, as they wrote it down from the raw datagrams. */
import { readFile } from 'node:fs/promises';

/** One line of the log; the fields that tests look at. */
export interface PhonesLogLine {
  at: string;
  direction?: 'in' | 'out';
  /** `INVITE`, `BYE`, ... of a request; absent on a response. */
  method?: string;
  status?: number;
  callId?: string;
  [key: string]: unknown;
}

/** Every complete line so far. */
export async function readPhonesLog(path: string): Promise<PhonesLogLine[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as PhonesLogLine);
}
