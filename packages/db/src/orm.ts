/** Configures MikroORM, for requests and for migrations. */
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type { Pool } from 'pg';
import type { Log } from '@parley/runtime';
import { entities } from './entities/all.ts';
import { migrations } from './migrations/all.ts';
import { dialectOn } from './orm-connection.ts';

/** graphile-worker owns its schema and migrates it itself. */
const FOREIGN_SCHEMAS = ['graphile_worker'];

/**
 * Entities refer to others by their keys only, and none has filters. Without these switches the ORM gives each property of each
 * loaded entity an accessor, to keep both sides of relations equal, and looks for filters of each relation of each query.
 */
const UNUSED = { propagationOnPrototype: false, filtersOnRelations: false, autoJoinRefsForFilters: false };

/** An ORM with separate connections, for migrations. It connects at the first query. The caller closes it. */
export function createOrm(
  url: string,
  options: { poolSize: number; log: Log; lockTimeoutMs?: number },
): MikroORM {
  return new MikroORM({
    ...settings(url, options.log),
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, transactional: true, allOrNothing: false },
    schemaGenerator: { ignoreSchema: FOREIGN_SCHEMAS, ignoreRoutines: true },
    pool: { min: 0, max: options.poolSize },
    driverOptions: { lock_timeout: options.lockTimeoutMs },
  });
}

/** The ORM of a serving process, on the pool that its SQL statements use. */
export function createOrmOn(pool: Pool, options: { url: string; log: Log }): MikroORM {
  return new MikroORM({ ...settings(options.url, options.log), driverOptions: dialectOn(pool) });
}

function settings(url: string, log: Log): Options {
  return {
    clientUrl: url,
    entities,
    ...UNUSED,
    colors: false,
    logger: (text) => log.info({ text }, 'Message from the ORM'),
  };
}
