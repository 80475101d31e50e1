import { silentLog, systemClock } from '@parley/runtime';
import { createBuiltInDetector, createFliteSynthesiser } from '@parley/speech';
import { expect, it } from 'vitest';
import { makeGreetings } from './amd-corpus.ts';
import { confusion, tryGreeting, type Trial } from './amd-trial.ts';

/** Every fourth text of the corpus; the whole of it is `npm run bench:amd`. */
const EVERY_NTH = 4;

it('people and machines are distinguished by sound, also without a recogniser', async () => {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const detector = await createBuiltInDetector({ clock: systemClock, log: silentLog });
  const trials: Trial[] = [];
  for await (const greeting of makeGreetings(flite, EVERY_NTH))
    trials.push(await tryGreeting(greeting, detector, false));
  await detector.close();
  await flite.stop();
  expect(confusion(trials)).toEqual({
    human: { human: 15, machine: 0, unknown: 0 },
    machine: { human: 0, machine: 15, unknown: 0 },
  });
}, 120_000);
