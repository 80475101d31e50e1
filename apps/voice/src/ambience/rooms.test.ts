import { rmsDbfs } from '@parley/audio';
import { captureLog } from '@parley/testkit';
import { silentLog, systemClock } from '@parley/runtime';
import { createFliteSynthesiser } from '@parley/speech';
import { createFakeSynthesiser } from '@parley/speech/fakes';
import { expect, it } from 'vitest';
import { Rooms } from './rooms.ts';

const RATE = 8000;

it('a room is made once and shared by all calls of a rate', async () => {
  const rooms = new Rooms({ synthesiser: createFakeSynthesiser({ clock: systemClock }), log: silentLog });
  const [first, second] = await Promise.all([rooms.loop('city', RATE), rooms.loop('city', RATE)]);
  expect(second).toBe(first);
  expect(first?.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(await rooms.loop('city', 2 * RATE)).toHaveLength(2 * (first?.length ?? 0));
});

it('a room with people murmurs with the built-in voices', async () => {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const loop = await new Rooms({ synthesiser: flite, log: silentLog }).loop('crowded_room', RATE);
  await flite.stop();
  expect(rmsDbfs(loop ?? new Int16Array(1))).toBeGreaterThan(-30);
});

it('silence is no room, nor is an unknown name', async () => {
  const rooms = new Rooms({ synthesiser: createFakeSynthesiser({ clock: systemClock }), log: silentLog });
  expect(await rooms.loop('off', RATE)).toBeNull();
  expect(await rooms.loop('constructor', RATE)).toBeNull();
});

it('a room that cannot be made leaves the call without one, and says so', async () => {
  const { log, lines } = captureLog();
  const flite = createFliteSynthesiser({ clock: systemClock });
  await flite.stop();
  expect(await new Rooms({ synthesiser: flite, log }).loop('cafe', RATE)).toBeNull();
  expect(lines.map(({ msg }) => msg)).toEqual(['An ambient sound could not be made; calls go on without it']);
});
