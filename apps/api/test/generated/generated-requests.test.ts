/**
 * Requests generated from the contract, against a live api with a real database: valid requests are accepted, requests
 * that break one rule are refused with the name of the field and change nothing, and every response matches the contract.
 *
 * `npm run test:random` draws other requests; `PARLEY_FUZZ_RUNS` is the number of requests for each endpoint.
 */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { ask, faultOf, pathWithRows, startWorld, userOf, type World } from './asking.ts';
import { bodyBreakers, broken, queryBreakers, type Breaker } from './broken-values.ts';
import { contractRoutes, isLong, type ContractRoute } from './contract-routes.ts';
import { databaseState } from './database-state.ts';
import { knownRows } from './known-rows.ts';
import { mayAnswer, settled } from './request-hints.ts';
import { smallestBody, validBody, type Body, type KnownValues } from './valid-values.ts';

const seed = Number(process.env['PARLEY_SEED'] ?? 20_260_105);
const runs = Number(process.env['PARLEY_FUZZ_RUNS'] ?? (isLong ? 10 : 1));

const database = useTestDatabase();
let world: World;
const known = new Map<number, KnownValues>();

beforeAll(async () => {
  world = await startWorld({ db: database.db });
  for (const person of [world.operator, world.member]) {
    known.set(person.userId, await knownRows(world.live, person));
  }
});

afterAll(() => world.stop());

/** Below the maxima of the rows that an account may have. */
const REQUESTS_OF_MEMBER = 400;
let requestsOfMember = 0;

/** Another member takes over where the rows of the valid requests would become too many for one account. */
async function haveMemberFor(requests: number): Promise<void> {
  requestsOfMember += requests;
  if (requestsOfMember <= REQUESTS_OF_MEMBER) return;
  requestsOfMember = requests;
  world.member = await world.live.addUser(randomUUID());
  known.set(world.member.userId, await knownRows(world.live, world.member));
}

const knownTo = (route: ContractRoute): KnownValues => known.get(userOf(world, route).userId) ?? {};

/** Query values are strings. */
const asQuery = (fields: Body): Body =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value ?? ''),
    ]),
  );

async function send(route: ContractRoute, parts: { body?: Body | undefined; query?: Body | undefined }) {
  const person = userOf(world, route);
  const path = await pathWithRows(world.live, route, person);
  return ask(world.live, route, { ...parts, path, person });
}

describe.each(contractRoutes)('$id', (route) => {
  test('accepts valid requests', { timeout: 60_000 + runs * 2000 }, async () => {
    for (let done = 0; done < runs; done += REQUESTS_OF_MEMBER) {
      const numRuns = Math.min(REQUESTS_OF_MEMBER, runs - done);
      await haveMemberFor(numRuns);
      const request = fc.record({
        body: route.body ? validBody(route.body, knownTo(route)) : fc.constant(undefined),
        query: route.query ? validBody(route.query, knownTo(route)).map(asQuery) : fc.constant(undefined),
      });
      const property = fc.asyncProperty(request, async ({ body, query }) => {
        const answer = await send(route, { body: body && settled(route, body), query });
        const isAllowed = mayAnswer(route, answer);
        const refusal = `refused a valid request: ${answer.status} ${answer.text}`;
        const fault =
          isAllowed && answer.status >= 500 ? null : (faultOf(route, answer) ?? (isAllowed ? null : refusal));
        if (fault) throw new Error(`${route.method} ${answer.url}: ${fault}`);
      });
      await fc.assert(property, { seed: seed + done, numRuns });
    }
  });

  if (route.body) {
    test(
      'refuses a body that breaks one rule and names the field',
      { timeout: 60_000 + runs * 2000 },
      async () => {
        const schema = route.body ?? {};
        const breakers = bodyBreakers(schema, knownTo(route));
        const bases = [smallestBody(schema, knownTo(route)), validBody(schema, knownTo(route))];
        // The long form breaks each rule in both bodies, the short one every second rule in one of them.
        const isFull = runs >= 10;
        const tested = isFull ? breakers : breakers.filter((_, index) => index % 2 === 0);
        const cases = tested.flatMap((breaker, index) =>
          casesOf(breaker, isFull ? bases : [bases[index % 2] ?? fc.constant({})], breakers.length),
        );
        const before = await databaseStateWithPaths(route);
        const faults = await collect(cases, async ({ breaker, body, value }) => {
          const answer = await ask(world.live, route, {
            path: before.path,
            person: userOf(world, route),
            body: broken(settled(route, body), breaker, value),
          });
          return faultOf(route, answer) ?? refusalFault(breaker, answer);
        });
        expect(faults).toEqual([]);
        expect(await databaseState(database.db)).toEqual(before.state);
      },
    );
  }

  if (route.query) {
    test('refuses a query that breaks one rule and names the field', async () => {
      const breakers = queryBreakers(route.query ?? {}, knownTo(route));
      const cases = breakers.flatMap((breaker) => casesOf(breaker, [fc.constant({})], breakers.length));
      const faults = await collect(cases, async ({ breaker, value }) => {
        const answer = await send(route, { query: { [breaker.field]: value } });
        return faultOf(route, answer) ?? refusalFault(breaker, answer);
      });
      expect(faults).toEqual([]);
    });
  }
});

interface Case {
  breaker: Breaker;
  body: Body;
  value: unknown;
}

/** One case for each base and, with more runs, more values: as many cases of all rules as there are runs. */
function casesOf(breaker: Breaker, bases: fc.Arbitrary<Body>[], rules: number): Case[] {
  const numRuns = Math.max(1, Math.floor(runs / (rules * bases.length)));
  return bases.flatMap((base) =>
    fc
      .sample(fc.tuple(base, breaker.value ?? fc.constant(undefined)), { seed, numRuns })
      .map(([body, value]) => ({ breaker, body, value })),
  );
}

/** Sends every case and lists the faults with their requests. */
async function collect(cases: Case[], check: (item: Case) => Promise<string | null>): Promise<string[]> {
  const faults: string[] = [];
  for (const item of cases) {
    const fault = await check(item);
    const { breaker, value } = item;
    if (fault)
      faults.push(`${breaker.field}, ${breaker.rule}, ${JSON.stringify(value)?.slice(0, 80)}: ${fault}`);
  }
  return faults;
}

/** A refusal names the broken field and no other. */
function refusalFault(
  { field }: Breaker,
  answer: { status: number; body: unknown; text: string },
): string | null {
  if (answer.status !== 422)
    return `accepted an invalid request: ${answer.status} ${answer.text.slice(0, 300)}`;
  const fields = Object.keys((answer.body as { errors?: object }).errors ?? {});
  const isNamed = fields.length > 0 && fields.every((name) => name === field || name.startsWith(`${field}.`));
  return isNamed ? null : `names ${fields.join(', ') || 'no field'}: ${answer.text.slice(0, 300)}`;
}

/** The state of the database after the rows of the path were created. */
async function databaseStateWithPaths(route: ContractRoute) {
  const path = await pathWithRows(world.live, route, userOf(world, route));
  return { path, state: await databaseState(database.db) };
}
