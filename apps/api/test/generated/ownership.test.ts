/**
 * Wherever a request can refer to a row (in the path, the body or the query), another user's row is answered exactly as a
 * missing one, and nothing changes. Generated from the contract, so that a new endpoint is covered, or fails here until
 * its ids are listed.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { ask, pathWithRows, startWorld, type Answer, type World } from './asking.ts';
import { namesHiding } from './broken-values.ts';
import {
  contractRoutes,
  fillPath,
  isLong,
  shareOf,
  type ContractRoute,
  type JsonSchema,
} from './contract-routes.ts';
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

test('every id of a request is listed', () => {
  expect(unknownReferences()).toEqual([]);
});

/** A row in a path is named together with the row above it: only the last one is exchanged. */
function isWhole(route: (typeof contractRoutes)[number]) {
  return ({ place, path }: Reference): boolean =>
    place !== 'path' ||
    route.path.endsWith(`:${path[0]}`) ||
    !/\/:\w+\/(?:documents|recorded-phrases)\//.test(route.path);
}

/** Endpoints for operators only apply to the rows of all users. */
const cases = contractRoutes
  .filter(({ facts }) => facts.role === undefined)
  .flatMap((route) =>
    referencesOf(route)
      .filter(isWhole(route))
      .map((reference) => ({
        route,
        reference,
        name: `${route.id}: ${reference.resource} in ${reference.place} (${reference.path.join('.')})`,
      })),
  );

/** Operators own rows like members; `npm run test:long` asks as both. */
const ASKERS = isLong ? (['member', 'operator'] as const) : (['member'] as const);

describe.each(ASKERS)('asked by a %s', (asker) => {
  // Operators may act for every user.
  const applicable = cases.filter(({ reference }) => asker === 'member' || reference.resource !== 'user');

  test.each(shareOf(applicable, 2))('$name', async ({ route, reference }) => {
    const person = world[asker];
    const makeRow = reference.place === 'query' ? makeUsed : make;
    const theirs = await makeRow(world.live, reference.resource, world.stranger);
    const own = await makeRow(world.live, reference.resource, person);
    // The other rows of the request are created before the state is read.
    const rest = await pathWithRows(world.live, route, person);
    const before = await databaseState(database.db);

    const missing = await askNaming(missingRow(reference.resource), { route, reference, person, rest });
    const foreign = await askNaming(theirs, { route, reference, person, rest });
    expect(plain(foreign)).toEqual(plain(missing));
    expect(await databaseState(database.db)).toEqual(before);

    // The user's own row must be answered differently; otherwise this test would prove nothing.
    const mine = await askNaming(own, { route, reference, person, rest });
    expect(plain(mine)).not.toEqual(plain(missing));
  });
});

interface Naming {
  route: ContractRoute;
  reference: Reference;
  person: Person;
  /** The path, complete if it does not contain the reference. */
  rest: string;
}

/** The smallest valid request that refers to this row. */
function askNaming(row: MadeRow, { route, reference, person, rest }: Naming): Promise<Answer> {
  const value = reference.isByName ? row.name : row.id;
  const { place, path, form } = reference;
  const hiding = place === 'body' ? namesHiding(String(path[0])) : [];
  const smallest = route.body && without(settled(route, smallestOf(route.body, person)), hiding);
  const body =
    smallest && form
      ? without(settled(route, withValue(smallest, form.path, smallestOf(form.schema, person))), hiding)
      : (smallest ?? undefined);
  return ask(world.live, route, {
    person,
    path: place === 'path' ? fillPath(route.path, (parameter) => idIn(parameter, row, path[0])) : rest,
    body: place === 'body' ? withValue(body ?? {}, path, value) : body,
    query: place === 'query' ? { [String(path[0])]: String(value) } : undefined,
  });
}

/** A row below another one is named together with it. The first version of an assistant always exists. */
function idIn(parameter: string, row: MadeRow, named: string | number | undefined): number | string {
  return parameter === named ? row.id : (row.parentId ?? 1);
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

/** Removes the query of the request from the links of a page, which contain it. */
function plain({ status, text }: Answer): { status: number; text: string } {
  return { status, text: text.replaceAll(/[?&](?:\w+=)[^"&]*/g, '') };
}
