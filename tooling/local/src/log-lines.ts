/**
 * Formats the JSON log lines of the processes for the screen: one short line each, above a level. The complete lines are in
 * the log files.
 */

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
type Level = (typeof LEVELS)[number];

/** Fields of every line, which are shown in another form or omitted. */
const COMMON_FIELDS = new Set(['level', 'time', 'name', 'msg', 'pid', 'hostname', 'err']);
const LONGEST_VALUE = 120;

const COLOURS: Partial<Record<Level, string>> = {
  warn: '\u001B[33m',
  error: '\u001B[31m',
  fatal: '\u001B[31m',
};
const DIM = '\u001B[2m';
const PLAIN = '\u001B[0m';

export interface ScreenOptions {
  /** Lines below this level are not shown. */
  level: Level;
  hasColours: boolean;
}

/** The line for the screen, or null to omit it. Text that is not a log line is shown unchanged. */
export function readableLine(processName: string, line: string, options: ScreenOptions): string | null {
  const entry = parseLine(line);
  const prefix = paint(processName.padEnd(8), DIM, options);
  if (!entry) return line.trim() === '' ? null : `${prefix} ${line}`;
  if (LEVELS.indexOf(entry.level) < LEVELS.indexOf(options.level)) return null;
  const level = paint(entry.level.padEnd(5), COLOURS[entry.level] ?? '', options);
  const time = paint(entry.time.slice(11, 19), DIM, options);
  return `${time} ${prefix} ${level} ${entry.message}${paint(describeFields(entry.fields), DIM, options)}`;
}

interface Entry {
  level: Level;
  /** ISO 8601. */
  time: string;
  message: string;
  fields: Record<string, unknown>;
}

function parseLine(line: string): Entry | null {
  if (!line.startsWith('{')) return null;
  try {
    const fields = JSON.parse(line) as Record<string, unknown>;
    const level = LEVELS.find((name) => name === fields['level']);
    const { time, msg: message } = fields;
    if (!level || typeof message !== 'string' || typeof time !== 'string') return null;
    return { level, time, message, fields };
  } catch {
    return null;
  }
}

function describeFields(fields: Record<string, unknown>): string {
  const words = Object.entries(fields)
    .filter(([name]) => !COMMON_FIELDS.has(name))
    .map(([name, value]) => `${name}=${shorten(value)}`);
  const error = fields['err'] as { message?: unknown } | undefined;
  if (typeof error?.message === 'string') words.push(`error=${shorten(error.message)}`);
  return words.length > 0 ? ` ${words.join(' ')}` : '';
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function paint(text: string, colour: string, { hasColours }: ScreenOptions): string {
  return hasColours && colour !== '' ? `${colour}${text}${PLAIN}` : text;
}
