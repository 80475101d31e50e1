/** Connects MikroORM to Postgres over the connections that SQL statements also use. */
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Kysely } from '@mikro-orm/postgresql';
import type { Pool, QueryResult } from 'pg';
import { storable } from './sql-values.ts';

/** Sends one statement of the ORM, which escapes values into the text, so that there is nothing to bind. */
export type Send = (text: string) => Promise<QueryResult>;

/** Each statement of the ORM takes a connection of `pool`. */
export function dialectOn(pool: Pool): PostgresDialect {
  return dialect(() => pool.connect());
}

/** All statements go to one connection, whose owner begins, commits and releases it. */
export function queriesOn(send: Send): Kysely<unknown> {
  // `never` is the type of the overload with a cursor, which is not used.
  const query = (text: unknown) => send(String(text)) as never;
  const client: PostgresPoolClient = { query, release: () => undefined };
  return new Kysely({ dialect: dialect(async () => client) });
}

/** `end` does nothing: the database closes its pool itself. */
function dialect(connect: () => Promise<PostgresPoolClient>): PostgresDialect {
  const connectStorable = async () => withStorableTexts(await connect());
  return new PostgresDialect({ pool: { connect: connectStorable, end: async () => undefined, options: {} } });
}

/** Values are in the text of a statement, which has NUL only inside of them. */
function withStorableTexts(client: PostgresPoolClient): PostgresPoolClient {
  const query = (text: unknown, values: never) => client.query(storable(text as string) as never, values);
  return { query: query as never, release: () => client.release() };
}
