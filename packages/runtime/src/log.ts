/**
 * Structured logs on stdout, one JSON object per line. Messages are fixed sentences; values go into fields. Personal data
 * (numbers, transcripts, prompts) is allowed only under `pii`, which is omitted by default.
 */
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { systemClock } from './clock.ts';
import { createTimeWriter } from './log-time.ts';

/** A structured log; children carry further fields. */
export type Log = Logger;

/** Log settings of a process. */
export interface LogOptions {
  /** The name of the process, in every entry. */
  name: string;
  level?: string;
  /** True includes the fields under `pii`. */
  includePersonalData?: boolean;
  /** Where entries are written; default: stdout. */
  destination?: DestinationStream;
}

/**
 * Log entries are buffered: one write per entry was measured at a tenth of the cost of a short request. The buffer is
 * flushed after this time and at the end of the process, also after a crash. Only SIGKILL loses entries.
 */
const GATHERING_MS = 100;
const GATHERED_BYTES = 16_000;

/** Creates the log of a process; components use child logs with their own fields. */
export function createLog(options: LogOptions): Log {
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    base: { name: options.name },
    timestamp: createTimeWriter(systemClock),
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: options.includePersonalData ? [] : ['pii', '*.pii'],
      remove: true,
    },
  };
  return pino(settings, options.destination ?? gatheringStdout());
}

/** The timer runs only while entries are buffered: a permanent one was half of the CPU time of an idle process. */
function gatheringStdout(): DestinationStream & { flushSync(): void } {
  const stdout = destination({ sync: false, minLength: GATHERED_BYTES });
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    timer = null;
    stdout.flush();
  };
  return {
    write(line) {
      stdout.write(line);
      timer ??= setTimeout(flush, GATHERING_MS).unref();
    },
    flushSync: () => stdout.flushSync(),
  };
}

/** A log without output, for tests that do not check it. */
export const silentLog: Log = pino({ level: 'silent' });
