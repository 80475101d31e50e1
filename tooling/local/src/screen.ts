/** What a person sees: a few sentences of ours, and of the processes' logs only what matters. All else is in the files. */
import { pino } from 'pino';
import type { Log } from '@parley/runtime';
import type { LogFiles } from './log-files.ts';
import { readableLine, type ScreenOptions } from './log-lines.ts';

export interface Screen {
  /** A sentence, as it is. */
  say(text: string): void;
  /** A line that a process wrote: into its file, and onto the screen if it matters. */
  processLine(processName: string, line: string): void;
  /** The supervisor's own log, treated like that of a process. */
  log: Log;
}

/** @param write - takes text for the terminal */
export function createScreen(files: LogFiles, options: ScreenOptions, write: (text: string) => void): Screen {
  const processLine = (processName: string, line: string): void => {
    files.append(processName, line);
    const readable = readableLine(processName, line, options);
    if (readable !== null) write(`${readable}\n`);
  };
  const log = pino(
    {
      level: 'debug',
      base: { name: 'supervisor' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['pii', '*.pii'], remove: true },
    },
    { write: (line: string) => processLine('supervisor', line.trimEnd()) },
  );
  return { say: (text) => write(`${text}\n`), processLine, log };
}
