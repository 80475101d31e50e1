/** A body of a mebibyte must not cause a large answer: every list of the contract has a maximum, checked before its items. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { pathWithRows, startWorld, userOf, type World } from './asking.ts';
import { contractRoutes, type JsonSchema } from './contract-routes.ts';

const MAX_ANSWER_BYTES = 16_384;
/** A body with more items is refused before its lists are checked (rest/hostile-bodies.test.ts). */
const ITEMS = 40_000;

const database = useTestDatabase();
let world: World;

beforeAll(async () => {
  world = await startWorld({ db: database.db });
});

afterAll(() => world.stop());

interface FoundList {
  /** Names of the objects around the list; null inside another list, which limits it. */
  path: string[] | null;
  schema: JsonSchema;
}

function listsIn(schema: JsonSchema, path: string[] | null): FoundList[] {
  const own = schema.type === 'array' ? [{ path, schema }] : [];
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    listsIn(property, path && [...path, name]),
  );
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...own,
    ...inside,
    ...forms.flatMap((form) => listsIn(form, path)),
    ...(schema.items ? listsIn(schema.items, null) : []),
  ];
}

const bodies = contractRoutes.flatMap((route) => (route.body ? [{ ...route, body: route.body }] : []));

test.each(bodies)('$id: every list has a maximum', ({ body }) => {
  for (const { path, schema } of listsIn(body, []))
    expect(schema.maxItems, String(path)).toEqual(expect.any(Number));
});

const cases = bodies.flatMap((route) =>
  listsIn(route.body, []).flatMap(({ path }) =>
    path ? [{ ...route, list: path.join('.'), names: path }] : [],
  ),
);

describe.each(cases)('$id', (route) => {
  test('$list: very many invalid items get a short answer', async () => {
    const person = userOf(world, route);
    const length = Math.min(ITEMS, (route.facts.maxBodyValues ?? Infinity) - 10);
    const items: unknown = Array.from({ length }, () => null);
    const body = route.names.reduceRight((inner, name) => ({ [name]: inner }), items);
    const path = await pathWithRows(world.live, route, person);
    const answer = await world.live.ask(path, { method: route.method, token: person.token, body });
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(MAX_ANSWER_BYTES);
    expect(answer.text).toContain('must not have more than');
  });
});

test('unknown fields are listed up to a limit', async () => {
  const body = Object.fromEntries(Array.from({ length: ITEMS }, (_, index) => [`field_${index}`, 1]));
  const answer = await world.live.ask('/api/leads/1', { method: 'PUT', body });
  expect(answer.status).toBe(422);
  expect(answer.text.length).toBeLessThan(MAX_ANSWER_BYTES);
});
