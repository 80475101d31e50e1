/** A body that arrives slowly: every endpoint answers 408 and closes the connection after the time limit. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { startWorld, userOf, type World } from './asking.ts';
import { contractRoutes, fillPath } from './contract-routes.ts';
import { openSocket, readAnswer } from './raw-request.ts';
import { MISSING_ID } from './world.ts';

const database = useTestDatabase();
const clock = new ManualClock(Date.now());
let world: World;

beforeAll(async () => {
  world = await startWorld({ db: database.db, core: { clock } });
});

afterAll(() => world.stop());

/** Uploads are tested in rest/lead-imports.test.ts. */
const routes = contractRoutes.filter(({ facts }) => facts.upload === undefined);

/** The beginning of a request, and of its body. */
function beginning(line: string, token: string): string {
  const head = [
    `${line} HTTP/1.1`,
    `host: ${new URL(world.live.url).host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 1000',
  ];
  return `${head.join('\r\n')}\r\n\r\n{"a":`;
}

/** Other timers of the api, such as those of rate limits, are shorter. */
const BODY_LIMIT_MS = 30_000;

/** Advances the clock beyond the time limit as soon as the api waits for the rest of the body. */
async function letTimePass(): Promise<void> {
  while (clock.pendingTimers(BODY_LIMIT_MS) === 0) await new Promise(setImmediate);
  clock.advance(BODY_LIMIT_MS);
}

test.each(routes)('$id answers 408 and closes the connection', async (route) => {
  const socket = openSocket(world.live.url);
  const answered = readAnswer(socket);
  const line = `${route.method} ${fillPath(route.path, () => MISSING_ID)}`;
  socket.write(beginning(line, userOf(world, route).token));
  await letTimePass();
  const { status, headers, text } = await answered;
  expect(status).toBe(408);
  expect(headers).toMatchObject({ connection: 'close' });
  expect(JSON.parse(text)).toEqual({ message: 'The request did not arrive in time.' });
  expect(clock.pendingTimers(BODY_LIMIT_MS / 2)).toBe(0);
});

test.each([
  ['with an invalid token', 'POST /api/user/make_call', 401],
  ['with an unsupported method', 'PATCH /api/user/make_call', 405],
  ['with a path that cannot be decoded', 'GET /api/user/calls/%ff', 404],
  ['to an unknown path', 'POST /api/nothing', 404],
])(
  'a request %s is answered, and its connection is closed after the time limit',
  async (_what, line, expected) => {
    const socket = openSocket(world.live.url);
    const texts: string[] = [];
    socket.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
    const hasHungUp = once(socket, 'close');
    socket.write(beginning(line, 'none'));
    await once(socket, 'data');
    await letTimePass();
    await hasHungUp;
    expect(texts.join('')).toMatch(`HTTP/1.1 ${expected} `);
    expect(clock.pendingTimers(BODY_LIMIT_MS / 2)).toBe(0);
  },
);
