/** The texts of the commands for stored suites. */

/** Plain texts, and functions for texts with values. */
export const suiteTexts = {
  one: 'Suite',
  about: 'stored suites of simulated callers, which the server runs',
  list: 'list all suites of your account with their newest runs',
  create: 'store a suite',
  update: 'replace the text of a suite; runs keep the text with which they started',
  delete: 'delete a suite; the results of its runs stay',
  run: 'run a suite, wait for its end and print the results; the exit code is 1 unless the run has passed',
  wait: 'wait for the end of a run and print its results, like run',
  runs: 'list the runs of your suites, newest first',
  cancel: 'cancel a run; its calls are hung up',
  file: 'YAML file with callers and expectations (docs/evaluations.md)',
  name: 'name of the suite; default: the name in its text',
  parallel: 'conversations in text at the same time, at most 50; default: 10',
  maxMinutes: 'the run ends after so many minutes; default: 60',
  maxCost: 'the run ends when its conversations have cost as much; default: no limit',
  noWait: 'print the ID of the run at once',
  ofSuite: 'only runs of this suite',
  confirm: (id: number) => `Delete suite ${id}?`,
  never: '-',
  none: 'No suites found.',
  noRuns: 'No runs found.',
  started: (id: number) => `Run ${id} started.\n`,
  progress: (done: number, total: number, failed: number) => `${done} of ${total} done, ${failed} failed.\n`,
  isNow: (id: number, status: string) => `Run ${id}: ${status}`,
  notPassed: (id: number, status: string, error: string | null) =>
    `Run ${id}: ${status}.${error === null ? '' : ` ${error}`}`,
};
