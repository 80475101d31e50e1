/**
 * `npm run bench:amd`: accuracy of answering machine detection. People who answer the phone, who reply to our greeting and
 * who speak over it, machines, screening assistants and menus, in three synthetic voices, with the real detector; once by voice and beep alone, once with a recogniser's words. The thresholds were
 * chosen on sentences like these: other voices and languages will do worse. Prints a line of JSON at the end.
 */
import { createLog, systemClock } from '@parley/runtime';
import { createBuiltInDetector, createFliteSynthesiser } from '@parley/speech';
import { makeGreetings, type Greeting } from './amd-corpus.ts';
import { CALLERS, confusion, tryGreeting, VERDICTS, type Trial } from './amd-trial.ts';

const log = createLog({ name: 'bench', level: 'warn', includePersonalData: false });

function report(title: string, trials: readonly Trial[]): void {
  const table = confusion(trials);
  process.stdout.write(
    `\n${title}\n            ${VERDICTS.map((verdict) => verdict.padStart(9)).join('  ')}\n`,
  );
  for (const by of CALLERS) {
    const counts = VERDICTS.map((verdict) => String(table[by][verdict] ?? 0).padStart(9));
    process.stdout.write(`  ${by.padEnd(12)}${counts.join('  ')}\n`);
  }
  for (const by of CALLERS)
    process.stdout.write(`  detected a ${by} after its first word: median ${medianDelay(trials, by)} ms\n`);
  for (const { by, text, verdict } of trials.filter((trial) => trial.by !== trial.verdict))
    process.stdout.write(`  ${by} taken for ${verdict ?? 'unknown'}: ${text}\n`);
}

function medianDelay(trials: readonly Trial[], by: Greeting['by']): number {
  const delays = trials
    .filter((trial) => trial.by === by && trial.verdict === by)
    .map(({ afterFirstWordMs }) => Math.round(afterFirstWordMs))
    .toSorted((a, b) => a - b);
  return delays[Math.floor(delays.length / 2)] ?? Number.NaN;
}

const flite = createFliteSynthesiser({ clock: systemClock });
const detector = await createBuiltInDetector({ clock: systemClock, log });
const byVoice: Trial[] = [];
const byWords: Trial[] = [];
for await (const greeting of makeGreetings(flite)) {
  byVoice.push(await tryGreeting(greeting, detector, false));
  byWords.push(await tryGreeting(greeting, detector, true));
}
await detector.close();
await flite.stop();
report('By voice and beep alone', byVoice);
report('With a recogniser', byWords);
process.stdout.write(`\n${JSON.stringify({ byVoice: confusion(byVoice), byWords: confusion(byWords) })}\n`);
