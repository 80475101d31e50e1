/** The texts of evaluations on the command line: files that cannot be used, progress and results. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  file: {
    unreadable: (path: string) => `${path} cannot be read.`,
    tooLarge: (path: string) => `${path} is larger than 1 MiB.`,
    invalid: (path: string) => `${path} is not a valid suite:`,
  },
  run: {
    stopped: 'Stopped.',
    progress: (done: number, total: number, name: string, failure: string | null) =>
      `${done} of ${total}  ${failure === null ? 'ok    ' : 'FAILED'}  ${name}${failure === null ? '' : `: ${failure}`}\n`,
  },
  replay: {
    nothingSaid: (id: number) => `The caller of call ${id} said nothing.`,
    recorded: (id: number) => `Call ${id}, as recorded`,
    now: (id: number) => `Assistant ${id}, now`,
    endedEarly: 'The assistant ended the conversation before the last turn of the caller.',
    noAssistant: 'A replay needs --assistant.',
    onlyReplay: 'Give a suite, or --replay with --assistant.',
  },
  report: {
    passed: 'passed',
    failed: 'FAILED',
    none: '-',
    milliseconds: (value: number) => `${Math.round(value)} ms`,
    run: (name: string, number: number, of: number) => (of === 1 ? name : `${name}, run ${number} of ${of}`),
    rate: (passed: number, total: number, wanted: number) =>
      `${passed} of ${total} runs passed; at least ${wanted} expected.`,
    call: (id: number) => `Call ${id}`,
    summary: (passed: number, total: number) => `${passed} of ${total} callers passed.`,
    speaker: { caller: 'Customer', assistant: 'AI' },
    failedCallers: (failed: number, total: number) => `${failed} of ${total} callers failed.`,
    written: (path: string) => `${path} was written.\n`,
    cannotWrite: (path: string) => `${path} cannot be written.`,
  },
};
