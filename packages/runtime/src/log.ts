/**
 * Structured logs on stdout, one JSON object a line. Messages are fixed sentences, values go into fields.
 * Personal data (numbers, transcripts, prompts) may stand only under `pii`, which is left out unless asked for.
 */
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { systemClock } from './clock.ts';
import { createTimeWriter } from './log-time.ts';

/** A structured log; children carry further fields. */
export type Log = Logger;

/** How a process logs. */
export interface LogOptions {
  /** Name of the process, on every line. */
  name: string;
  level?: string;
  /** True writes what stands under `pii`; false leaves it out. */
  includePersonalData?: boolean;
  /** Where lines go; stdout by default. */
  destination?: DestinationStream;
}

/**
 * Lines are gathered: a write for each would be a tenth of the cost of a short request. They wait no longer than this,
 * and at the end of the process, fault or not, for nothing. Only SIGKILL loses them.
 */
const GATHERING_MS = 100;
const GATHERED_BYTES = 16_000;

/** Makes the log of a process; parts of it get children with their own fields. */
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

/** The timer runs while lines wait and not otherwise: looking ten times a second cost an idle process half of its time. */
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

/** A log that says nothing, for tests that do not look at it. */
export const silentLog: Log = pino({ level: 'silent' });
