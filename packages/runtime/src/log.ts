/**
 * Structured logs on stdout, one JSON object a line. Messages are fixed sentences, values go into fields.
 * Personal data (numbers, transcripts, prompts) may stand only under `pii`, which is left out unless asked for.
 */
import { pino, type DestinationStream, type Logger } from 'pino';

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

/** Makes the log of a process; parts of it get children with their own fields. */
export function createLog(options: LogOptions): Log {
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    base: { name: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: options.includePersonalData ? [] : ['pii', '*.pii'],
      remove: true,
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** A log that says nothing, for tests that do not look at it. */
export const silentLog: Log = pino({ level: 'silent' });
