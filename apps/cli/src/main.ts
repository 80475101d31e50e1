/** The command line's process: hands the terminal over and ends with the command's exit code. */
import { createInterface } from 'node:readline/promises';
import { systemClock } from '@parley/runtime';
import { runProgram } from './program.ts';
import { processEnvironment } from './settings.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

/** Questions go to stderr: stdout may be a file even on an interactive terminal. */
async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await reader.question(question, { signal: interrupted.signal });
  } catch (error) {
    // Ctrl-C and Ctrl-D decline.
    if (error instanceof Error && error.name === 'AbortError') return '';
    throw error;
  } finally {
    reader.close();
  }
}

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: processEnvironment(),
  clock: systemClock,
  signal: interrupted.signal,
  write: (text) => {
    process.stdout.write(text);
  },
  remark: (text) => {
    process.stderr.write(text);
  },
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
});
