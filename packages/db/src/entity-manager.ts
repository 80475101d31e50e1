/** The parts of MikroORM's entity manager that use cases work with. */
import type { SqlEntityManager } from '@mikro-orm/postgresql';

/** Reads entities. */
export type EntityReader = Pick<
  SqlEntityManager,
  'find' | 'findOne' | 'findOneOrFail' | 'findAndCount' | 'count'
>;

/** Reads, locks and changes entities; only a transaction has one. */
export type EntityWriter = EntityReader &
  Pick<SqlEntityManager, 'create' | 'remove' | 'upsert' | 'nativeUpdate' | 'nativeDelete' | 'flush'>;
