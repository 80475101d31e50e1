/** The one place that configures MikroORM, for requests and for migrations alike. */
import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type { Log } from '@parley/runtime';
import { entities } from './entities/all.ts';
import { migrations } from './migrations/all.ts';

/** graphile-worker's tables live in a schema of their own and are its own business. */
const FOREIGN_SCHEMAS = ['graphile_worker'];

/** Builds the ORM without connecting; the first query does. Whoever calls this closes it. */
export function createOrm(url: string, options: { poolSize: number; log: Log }): MikroORM {
  return new MikroORM({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, transactional: true, allOrNothing: true },
    schemaGenerator: { ignoreSchema: FOREIGN_SCHEMAS, ignoreRoutines: true },
    pool: { min: 0, max: options.poolSize },
    colors: false,
    logger: (text) => options.log.info({ text }, 'The ORM said'),
  });
}
