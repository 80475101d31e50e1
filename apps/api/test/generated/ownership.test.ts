/**
 * Another user's row is as good as none: wherever a request can name a row (in the path, the body or the query), a
 * stranger's is answered exactly as one that does not exist, and nothing changes. Made from the contract, so that an
 * endpoint that is added is covered, or fails here until its ids are known.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { ask, pathWithRows, startWorld, type Answer, type World } from './asking.ts';
import { namesHiding } from './broken-values.ts';
import { contractRoutes, fillPath, type ContractRoute, type JsonSchema } from './contract-routes.ts';
import { databaseState } from './database-state.ts';
import { knownRows } from './known-rows.ts';
import { referencesOf, unknownReferences, withValue, type Reference } from './references.ts';
import { settled } from './request-hints.ts';
import { smallestBody, type Body, type KnownValues } from './valid-values.ts';
import { make, makeUsed, missing as missingRow, type MadeRow, type Person } from './world.ts';

const database = useTestDatabase();
let world: World;
const known = new Map<number, KnownValues>();

beforeAll(async () => {
  world = await startWorld({ db: database.db });
  for (const person of [world.operator, world.member])
    known.set(person.userId, await knownRows(world.live, person));
});

afterAll(() => world.stop());

test('every id that a request can carry is known', () => {
  expect(unknownReferences()).toEqual([]);
});

/** What only operators may do they may do to everybody's rows. */
const cases = contractRoutes
  .filter(({ facts }) => facts.role === undefined)
  .flatMap((route) =>
    referencesOf(route).map((reference) => ({
      route,
      reference,
      name: `${route.id}: ${reference.resource} in ${reference.place} (${reference.path.join('.')})`,
    })),
  );

describe.each(['member', 'operator'] as const)('asked by a %s', (asker) => {
  // Operators act for every user, so to them no user is somebody else's.
  const applicable = cases.filter(({ reference }) => asker === 'member' || reference.resource !== 'user');

  test.each(applicable)('$name', async ({ route, reference }) => {
    const person = world[asker];
    const makeRow = reference.place === 'query' ? makeUsed : make;
    const theirs = await makeRow(world.live, reference.resource, world.stranger);
    const own = await makeRow(world.live, reference.resource, person);
    // Rows for the rest of the request are made before the database is looked at.
    const rest = await pathWithRows(world.live, route, person);
    const before = await databaseState(database.db);

    const missing = await askNaming(missingRow(reference.resource), { route, reference, person, rest });
    const foreign = await askNaming(theirs, { route, reference, person, rest });
    expect(plain(foreign)).toEqual(plain(missing));
    expect(await databaseState(database.db)).toEqual(before);

    // The same with a row of one's own is another answer, or this test would prove nothing.
    const mine = await askNaming(own, { route, reference, person, rest });
    expect(plain(mine)).not.toEqual(plain(missing));
  });
});

interface Naming {
  route: ContractRoute;
  reference: Reference;
  person: Person;
  /** The path, complete where the reference is not in it. */
  rest: string;
}

/** The smallest valid request, with this row named. */
function askNaming(row: MadeRow, { route, reference, person, rest }: Naming): Promise<Answer> {
  const value = reference.isByName ? row.name : row.id;
  const { place, path, form } = reference;
  const hiding = place === 'body' ? namesHiding(String(path[0])) : [];
  const smallest = route.body && without(settled(route, smallestOf(route.body, person)), hiding);
  const body =
    smallest && form
      ? withValue(smallest, form.path, smallestOf(form.schema, person))
      : (smallest ?? undefined);
  return ask(world.live, route, {
    person,
    path: place === 'path' ? fillPath(route.path, () => row.id) : rest,
    body: place === 'body' ? withValue(body ?? {}, path, value) : body,
    query: place === 'query' ? { [String(path[0])]: String(value) } : undefined,
  });
}

function smallestOf(schema: JsonSchema, person: Person): Body {
  const [smallest = {}] = fc.sample(smallestBody(schema, known.get(person.userId) ?? {}), {
    seed: 1,
    numRuns: 1,
  });
  return smallest;
}

function without(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** The request's own address stands in the links of a page; what was asked for in them is no difference. */
function plain({ status, text }: Answer): { status: number; text: string } {
  return { status, text: text.replaceAll(/[?&](?:\w+=)[^"&]*/g, '') };
}
