/** Queries to a database that is being killed, repeated until they succeed. */
import { pause, systemClock } from '@parley/runtime';
import { Pool, types } from 'pg';

/** A connection that reconnects. */
export interface PatientSql {
  /** @throws Error when the database does not answer for a minute */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/** @param url - not through a pooler */
export function openPatientSql(url: string): PatientSql {
  const pool = new Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    // Ids are far below 2^53.
    types: {
      getTypeParser: (id, format) => (id === types.builtins.INT8 ? Number : types.getTypeParser(id, format)),
    },
  });
  pool.on('error', () => {});
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      insist(async () => (await pool.query(text, [...values])).rows as Row[]),
    close: () => pool.end(),
  };
}

/**
 * Repeats an operation until it succeeds; for operations on processes that are being killed.
 *
 * @throws the last error after a minute
 */
export async function insist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const limitMs = systemClock.monotonic() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (systemClock.monotonic() > limitMs) throw error;
      await pause(systemClock, PAUSE_MS);
    }
  }
}
