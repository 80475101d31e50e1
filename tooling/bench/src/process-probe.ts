/**
 * Loaded into a measured process before its own program (`node --import`): tells over IPC what processor time, memory and
 * stalls it has had, and records which statements one request sends to Postgres. Changes nothing otherwise, unless it is
 * asked to keep the main thread busy.
 */
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from 'pg';

/** One statement as it was sent. */
export interface RecordedStatement {
  /** The name of the prepared statement; absent: the statement is not prepared. */
  name?: string;
  text: string;
  values: unknown[];
  /** The rows it answered with, as arrays of what stood in them. */
  rows: unknown[][];
}

/** What the process has used since it began; delays since the last `reset`. */
export interface ProcessFigures {
  cpuMicros: number;
  /** How long it stood still to collect garbage. */
  gcMicros: number;
  rssBytes: number;
  /** What the main thread's program holds, sound and other buffers included. */
  heapBytes: number;
  longestStallMs: number;
}

/** The questions that it accepts. */
export type ProbeRequest = 'figures' | 'collect' | 'storm' | 'reset' | 'record' | 'recorded';

/** The answers of the process, by the name of the question. */
export type ProbeAnswer =
  | { to: 'figures'; figures: ProcessFigures }
  | { to: 'collect' }
  | { to: 'storm' }
  | { to: 'reset' }
  | { to: 'record' }
  | { to: 'recorded'; statements: RecordedStatement[] };

/** Length of a storm, and of each stretch of it in which nothing else runs, milliseconds. */
const STORM_MS = 1000;
const GUST_MS = 30;

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let gcMicros = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) gcMicros += duration * 1000;
}).observe({ entryTypes: ['gc'] });
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
    case 'collect':
      collectGarbage();
      return { to: request };
    case 'storm':
      blow(performance.now() + STORM_MS);
      return { to: request };
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
  const { rss, heapUsed, external } = process.memoryUsage();
  const heapBytes = heapUsed + external;
  const longestStallMs = delay.max / 1e6;
  return { cpuMicros: user + system, gcMicros, rssBytes: rss, heapBytes, longestStallMs };
}

/** Collects garbage, so that two readings of the memory can be compared. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Reads and writes JSON until then, on the main thread; the event loop gets its turn between two gusts. */
function blow(untilMs: number): void {
  const lullMs = performance.now() + GUST_MS;
  const text = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, name: `caller ${id}` })));
  while (performance.now() < lullMs) JSON.parse(text);
  if (performance.now() < untilMs) setImmediate(blow, untilMs);
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
