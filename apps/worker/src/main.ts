/** `npm run worker`. */
import { runProcess } from '@parley/runtime';
import { buildWorker } from './app.ts';
import { readSettings } from './settings.ts';

await runProcess(async () => buildWorker(readSettings()));
