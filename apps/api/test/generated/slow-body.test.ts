/** A body that comes drop by drop: every endpoint lets go of the connection once its time is over. */
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

/** What is sent here is no file; those are measured in rest/lead-imports.test.ts. */
const routes = contractRoutes.filter(({ facts }) => facts.upload === undefined);

test.each(routes)('$id answers 408 and hangs up', async (route) => {
  const socket = openSocket(world.live.url);
  const answered = readAnswer(socket);
  const head = [
    `${route.method} ${fillPath(route.path, () => MISSING_ID)} HTTP/1.1`,
    `host: ${new URL(world.live.url).host}`,
    `authorization: Bearer ${userOf(world, route).token}`,
    'content-type: application/json',
    'content-length: 1000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"a":`);
  // The clock stands still until the api waits for the rest.
  while (clock.pendingTimers() === 0) await new Promise(setImmediate);
  clock.advance(30_000);
  const { status, headers, text } = await answered;
  expect(status).toBe(408);
  expect(headers).toMatchObject({ connection: 'close' });
  expect(JSON.parse(text)).toEqual({ message: 'The request did not arrive in time.' });
  expect(clock.pendingTimers()).toBe(0);
});
