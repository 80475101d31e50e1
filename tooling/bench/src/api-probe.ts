/**
 * Loaded into a measured process before its own program (`node --import`): tells over IPC what processor time, memory and
 * stalls it has had, and records which statements one request sends to Postgres. Changes nothing otherwise.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Client } from 'pg';

/** One statement as it was sent. */
export interface RecordedStatement {
  /** Of the prepared statement; absent: sent as it is. */
  name?: string;
  text: string;
  values: unknown[];
  /** The rows it answered with, as arrays of what stood in them. */
  rows: unknown[][];
}

/** What the process has used since it began; delays since the last `reset`. */
export interface ProcessFigures {
  cpuMicros: number;
  rssBytes: number;
  longestStallMs: number;
}

/** What it can be asked. */
export type ProbeRequest = 'figures' | 'reset' | 'record' | 'recorded';

/** What it answers, under the name of the question. */
export type ProbeAnswer =
  | { to: 'figures'; figures: ProcessFigures }
  | { to: 'reset' }
  | { to: 'record' }
  | { to: 'recorded'; statements: RecordedStatement[] };

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let recording: RecordedStatement[] | null = null;

process.on('message', (request: ProbeRequest) => {
  const answer = answerTo(request);
  if (answer) process.send?.(answer);
});
// Listening must not keep the process alive.
process.channel?.unref();

function answerTo(request: ProbeRequest): ProbeAnswer | null {
  switch (request) {
    case 'figures':
      return { to: request, figures: figures() };
    case 'reset':
      delay.reset();
      return { to: request };
    case 'record':
      recording = [];
      return { to: request };
    case 'recorded': {
      const statements = recording ?? [];
      recording = null;
      return { to: request, statements };
    }
    default:
      return null;
  }
}

function figures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss(), longestStallMs: delay.max / 1e6 };
}

type AnyQuery = (...parameters: unknown[]) => unknown;

const client = Client.prototype as unknown as { query: AnyQuery };
const send = client.query;
client.query = function query(this: unknown, ...parameters: unknown[]): unknown {
  if (!recording) return send.apply(this, parameters);
  const [first, second] = parameters;
  const asked = (typeof first === 'string' ? { text: first } : first) as {
    name?: string;
    text: string;
    values?: unknown[];
  };
  const entry: RecordedStatement = {
    ...(asked.name === undefined ? {} : { name: asked.name }),
    text: asked.text,
    values: asked.values ?? (Array.isArray(second) ? (second as unknown[]) : []),
    rows: [],
  };
  recording.push(entry);
  const keep = (result: { rows?: unknown[] } | undefined): void => {
    entry.rows = (result?.rows ?? []).slice(0, 1).map((row) => Object.values(row as object) as unknown[]);
  };
  const last = parameters.at(-1);
  if (typeof last === 'function') {
    const done = last as AnyQuery;
    parameters[parameters.length - 1] = (error: unknown, result: { rows?: unknown[] }) => {
      keep(result);
      done(error, result);
    };
    return send.apply(this, parameters);
  }
  return (send.apply(this, parameters) as Promise<{ rows?: unknown[] }>).then((result) => {
    keep(result);
    return result;
  });
};
