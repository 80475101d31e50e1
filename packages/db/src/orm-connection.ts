/** Connects MikroORM to Postgres over the connections that SQL statements also use. */
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Kysely } from '@mikro-orm/postgresql';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { typeParsers } from './sql-values.ts';

/** Sends one statement of the ORM. */
export type Send = (query: QueryConfig) => Promise<QueryResult>;

/** Each statement of the ORM takes a connection of `pool`. */
export function dialectOn(pool: Pool): PostgresDialect {
  return dialect(async () => {
    const client = await pool.connect();
    return ormClient(
      (query) => client.query(query),
      () => client.release(),
    );
  });
}

/** All statements go to one connection, whose owner begins, commits and releases it. */
export function queriesOn(send: Send): Kysely<unknown> {
  const client = ormClient(send, () => undefined);
  return new Kysely({ dialect: dialect(async () => client) });
}

/** `end` does nothing: the database closes its pool itself. */
function dialect(connect: () => Promise<PostgresPoolClient>): PostgresDialect {
  return new PostgresDialect({ pool: { connect, end: async () => undefined, options: {} } });
}

/** Values are read as in SQL statements. The ORM escapes values into the text, so there is nothing to bind. */
function ormClient(send: Send, release: () => void): PostgresPoolClient {
  // `never` is the type of the overload with a cursor, which is not used.
  const query = (text: unknown) => send({ text: String(text), types: typeParsers }) as never;
  return { query, release };
}
