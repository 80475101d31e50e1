import { rmsDbfs } from '@parley/audio';
import { captureLog } from '@parley/testkit';
import { silentLog, systemClock } from '@parley/runtime';
import { createFliteSynthesiser } from '@parley/speech';
import { createFakeSynthesiser } from '@parley/speech/fakes';
import { expect, it } from 'vitest';
import { AmbientSounds } from './ambient-sounds.ts';

const RATE = 8000;

it('a sound is generated once and shared by all calls of a sample rate', async () => {
  const sounds = new AmbientSounds({
    synthesiser: createFakeSynthesiser({ clock: systemClock }),
    log: silentLog,
  });
  const [first, second] = await Promise.all([sounds.loop('city', RATE), sounds.loop('city', RATE)]);
  expect(second).toBe(first);
  expect(first?.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(await sounds.loop('city', 2 * RATE)).toHaveLength(2 * (first?.length ?? 0));
});

it('a place with people contains a murmur of the built-in voices', async () => {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const loop = await new AmbientSounds({ synthesiser: flite, log: silentLog }).loop('crowded_room', RATE);
  await flite.stop();
  expect(rmsDbfs(loop ?? new Int16Array(1))).toBeGreaterThan(-30);
});

it('`off` and unknown names return null', async () => {
  const sounds = new AmbientSounds({
    synthesiser: createFakeSynthesiser({ clock: systemClock }),
    log: silentLog,
  });
  expect(await sounds.loop('off', RATE)).toBeNull();
  expect(await sounds.loop('constructor', RATE)).toBeNull();
});

it('a failure is logged, and the call goes on without the sound', async () => {
  const { log, lines } = captureLog();
  const flite = createFliteSynthesiser({ clock: systemClock });
  await flite.stop();
  expect(await new AmbientSounds({ synthesiser: flite, log }).loop('cafe', RATE)).toBeNull();
  expect(lines.map(({ msg }) => msg)).toEqual(['An ambient sound could not be made; calls go on without it']);
});
