/**
 * Hostile requests to every endpoint: the response is documented and never a 5xx, except the 503 of endpoints that need a
 * voice process, which does not run here; refused requests change nothing, and no request costs more than a bounded amount of work.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { pathWithRows, startWorld, userOf, type World } from './asking.ts';
import { contractRoutes, shareOf, type ContractRoute } from './contract-routes.ts';
import { databaseState } from './database-state.ts';
import { attacksOn, type Attack, type Target } from './hostile-attacks.ts';
import { knownRows } from './known-rows.ts';
import { sendRaw, type RawAnswer, type RawRequest } from './raw-request.ts';
import { mayAnswer, settled } from './request-hints.ts';
import { smallestBody, type KnownValues } from './valid-values.ts';

/**
 * Processor time that one request may take, milliseconds, the test's own part included. Generous: work that grows with
 * the square of a mebibyte takes minutes.
 */
const CPU_LIMIT_MS = 3000;

const routes = shareOf(contractRoutes, 16);

const database = useTestDatabase();
let world: World;
const known = new Map<number, KnownValues>();
const prototypeKeys = Reflect.ownKeys(Object.prototype);

beforeAll(async () => {
  world = await startWorld({ db: database.db });
  for (const person of [world.operator, world.member])
    known.set(person.userId, await knownRows(world.live, person));
});

afterAll(() => world.stop());

describe.each(routes)('$id', (route) => {
  test('withstands every attack of the table', { timeout: 60_000 }, async () => {
    const first = await runAttacks(route, attacksOn(route));
    // Accepted requests may hide changes by refused ones, so the refused ones are sent once more.
    const refused = attacksOn(route).filter(({ name }) => !first.accepted.has(name));
    const last = first.accepted.size > 0 && route.method !== 'GET' ? await runAttacks(route, refused) : first;
    expect(first.faults).toEqual([]);
    expect(last.changed).toEqual([]);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototypeKeys);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

interface Outcome {
  /** The incorrect responses. */
  faults: string[];
  /** Names of attacks that were answered with 2xx, or with the 503 of what does not run here. */
  accepted: Set<string>;
  /** Tables that changed. */
  changed: string[];
}

async function runAttacks(route: ContractRoute, attacks: readonly Attack[]): Promise<Outcome> {
  const faults: string[] = [];
  const accepted = new Set<string>();
  let target = await makeTarget(route);
  const before = await databaseState(database.db);
  for (const { name, status, request } of attacks) {
    const hostile = request(target);
    if (!hostile) continue;
    const { answer, cpuMs } = await attack(target, hostile);
    const isExpected = answer.status === 503 && mayAnswer(route, answer);
    const fault = isExpected ? null : faultOf(answer, status);
    if (fault) faults.push(`${name}: ${fault}`);
    if (cpuMs > CPU_LIMIT_MS) faults.push(`${name}: took ${cpuMs} ms of work`);
    if (answer.status >= 300 && !isExpected) continue;
    accepted.add(name);
    // The attack may have deleted the row.
    if (route.method !== 'GET') target = await makeTarget(route);
  }
  const after = await databaseState(database.db);
  return { faults, accepted, changed: Object.keys(after).filter((table) => after[table] !== before[table]) };
}

/** Sends a valid request that an attack has changed. */
async function attack(
  target: Target,
  hostile: Partial<RawRequest>,
): Promise<{ answer: RawAnswer; cpuMs: number }> {
  const { token } = userOf(world, target.route);
  const startedAt = process.cpuUsage();
  const answer = await sendRaw(world.live.url, {
    method: target.route.method,
    target: target.path,
    ...hostile,
    headers: {
      'content-type': target.route.facts.upload ?? 'application/json',
      authorization: `Bearer ${token}`,
      ...hostile.headers,
    },
  });
  const { user, system } = process.cpuUsage(startedAt);
  return { answer, cpuMs: (user + system) / 1000 };
}

/** A valid request with its own rows. */
async function makeTarget(route: ContractRoute): Promise<Target> {
  const person = userOf(world, route);
  const path = await pathWithRows(world.live, route, person);
  if (!route.body) return { route, path, body: {} };
  const body = fc.sample(smallestBody(route.body, known.get(person.userId) ?? {}), {
    seed: 1,
    numRuns: 1,
  })[0];
  return { route, path, body: settled(route, body ?? {}) };
}

/** Every refusal is JSON with a message and has a request id. */
function faultOf({ status, headers, text }: RawAnswer, right: number | undefined): string | null {
  const said = `${status} ${text.slice(0, 200)}`;
  if (status < 200 || status >= 500) return `answered ${said}`;
  if (right !== undefined && status !== right) return `answered ${said} instead of ${right}`;
  if (status < 300) return null;
  if (!headers['content-type']?.startsWith('application/json')) return `is not JSON: ${said}`;
  if (!/^[0-9a-f-]{36}$/.test(headers['x-request-id'] ?? '')) return `has no request id: ${said}`;
  const { message } = JSON.parse(text) as { message?: unknown };
  return typeof message === 'string' && message !== '' ? null : `has no message: ${said}`;
}
