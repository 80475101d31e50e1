import { silentLog, systemClock } from '@parley/runtime';
import { createBuiltInDetector, createFliteSynthesiser } from '@parley/speech';
import { expect, it } from 'vitest';
import { makeGreetings } from './amd-corpus.ts';
import { confusion, tryGreeting, type Trial } from './amd-trial.ts';

/** Every fifth text of the corpus; the whole of it is `npm run bench:amd`. */
const EVERY_NTH = 5;

it('people, machines, screening assistants and menus are distinguished by sound', async () => {
  const flite = createFliteSynthesiser({ clock: systemClock });
  const detector = await createBuiltInDetector({ clock: systemClock, log: silentLog });
  const trials: Trial[] = [];
  for await (const greeting of makeGreetings(flite, EVERY_NTH)) {
    // Without words, screening assistants and menus talk like machines.
    const hasWords = greeting.by === 'screening' || greeting.by === 'menu';
    trials.push(await tryGreeting(greeting, detector, hasWords));
  }
  await detector.close();
  await flite.stop();
  expect(confusion(trials)).toEqual({
    human: { human: 18 },
    machine: { machine: 12 },
    screening: { screening: 3 },
    menu: { menu: 3 },
  });
}, 120_000);
