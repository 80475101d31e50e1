/** All checks, in the order in which they run. */
import type { Check } from './check.ts';
import { databaseKills } from './database-kills.ts';
import { databaseSilence } from './database-silence.ts';
import { heldJobs } from './held-jobs.ts';
import { hookKills } from './hook-kills.ts';
import { freezes, kills } from './kills.ts';
import { lostVoice, restartedVoice } from './lost-voice.ts';
import { migrations } from './migrations.ts';
import { packageTests } from './package-tests.ts';
import { restarts } from './restarts.ts';
import { sameKey } from './same-key.ts';
import { stops } from './stops.ts';
import { thousand } from './thousand.ts';

/** `npm run chaos` without `--only` runs all of them. */
export const CHECKS: readonly Check[] = [
  kills,
  freezes,
  heldJobs,
  stops,
  databaseKills,
  databaseSilence,
  lostVoice,
  restartedVoice,
  restarts,
  sameKey,
  hookKills,
  migrations,
  ...packageTests,
  thousand,
];
