/** The command line's process: hands the terminal over and ends with the command's exit code. */
import { systemClock } from '@parley/runtime';
import { runProgram } from './program.ts';
import { processEnvironment } from './settings.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: processEnvironment(),
  clock: systemClock,
  signal: interrupted.signal,
  write: (text) => void process.stdout.write(text),
  remark: (text) => void process.stderr.write(text),
});
