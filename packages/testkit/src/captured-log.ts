/** A log whose lines a test can read, personal data included. */
import { Writable } from 'node:stream';
import type { Log } from '@parley/runtime';
import { pino } from 'pino';

export type LogLine = Record<string, unknown> & { level: string; msg: string };

export interface CapturedLog {
  log: Log;
  lines: LogLine[];
  /** The messages alone, in order. */
  messages: () => string[];
}

export function captureLog(): CapturedLog {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as LogLine);
      done();
    },
  });
  const log = pino(
    { level: 'trace', base: null, formatters: { level: (label) => ({ level: label }) } },
    stream,
  );
  return { log, lines, messages: () => lines.map((line) => line.msg) };
}
