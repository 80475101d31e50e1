/** What `orm.ts` switches off must have nothing to do. */
import { silentLog } from '@parley/runtime';
import { expect, it } from 'vitest';
import { createOrm } from './orm.ts';

it('no entity has a relation to an entity, or a filter', async () => {
  const orm = createOrm('postgres://127.0.0.1:1/none', { poolSize: 1, log: silentLog });
  const all = [...orm.getMetadata().getAll().values()];
  const withFilters = all.filter(({ filters }) => Object.keys(filters).length > 0);
  const relations = all.flatMap((entity) => entity.relations.map((relation) => ({ entity, relation })));
  const toEntities = relations.filter(({ relation }) => relation.mapToPk !== true);
  expect(withFilters.map(({ className }) => className)).toEqual([]);
  expect(toEntities.map(({ entity, relation }) => `${entity.className}.${relation.name}`)).toEqual([]);
  expect(relations).not.toHaveLength(0);
  await orm.close(true);
});
