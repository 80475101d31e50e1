/** The texts of suites of simulated callers, their runs and replays. */

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;

/** Plain texts, and functions for texts with values. */
export const texts = {
  list: {
    title: 'Evaluations',
    subtitle: 'Suites of simulated callers, which check assistants before a change goes live.',
    new: 'New suite',
    columns: { name: 'Name', conversations: 'Conversations', last: 'Last run', when: 'When' },
    never: 'Never',
    callers: (count: number) => counted(count, 'caller', 'callers'),
    empty: {
      title: 'No suites yet',
      text: 'A suite describes callers and what you expect of the assistant. Runs hold their conversations in text, or as calls to the built-in test phones.',
    },
    replays: 'Replays of calls',
  },
  form: {
    name: { label: 'Name', hint: 'Optional. Without it, the name in the text.' },
    definition: {
      label: 'Suite',
      hint: 'YAML or JSON. Each caller has a script with what it says, or a persona with who it is; "expect" holds what must happen.',
    },
    valid: 'The suite is valid.',
    faults: 'The suite has faults',
    create: 'Create suite',
    save: 'Save',
    example: (assistant: string) => `assistant: ${JSON.stringify(assistant)}
callers:
  - name: asks for the hours
    script:
      - When do you open?
    expect:
      said: [/open|hours/i]
      turns: { max: 3 }
`,
  },
  suite: {
    title: (id: number) => `Suite ${id}`,
    back: 'Evaluations',
    facts: (callers: number, conversations: number) =>
      `${counted(callers, 'caller', 'callers')}, ${counted(conversations, 'conversation', 'conversations')} in a run`,
    definition: 'Suite',
    runs: 'Runs',
    noRuns: { title: 'Not run yet', text: 'Start a run to hold the conversations of this suite.' },
    remove: {
      action: 'Delete',
      question: (name: string) => `Delete ${name}?`,
      text: 'The results of its runs are kept.',
      keep: 'Keep',
    },
  },
  start: {
    action: 'Run',
    title: 'Run the suite',
    parallel: { label: 'Conversations at once', hint: 'At most 8 of them are calls.' },
    minutes: { label: 'Time limit (minutes)', hint: 'Then the run ends.' },
    cost: { label: 'Cost limit', hint: 'For all calls of the run. Empty: no limit.' },
    unsaved: 'The saved text is run. Save your changes first if they should count.',
  },
  runs: {
    columns: { run: 'Run', result: 'Result', conversations: 'Conversations', when: 'When' },
    run: (id: number) => `Run ${id}`,
    progress: (done: number, total: number, failed: number) =>
      failed === 0 ? `${done} of ${total} done` : `${done} of ${total} done, ${failed} failed`,
  },
  status: { running: 'Running', passed: 'Passed', failed: 'Failed', cancelled: 'Cancelled' },
  run: {
    title: (id: number) => `Run ${id}`,
    back: 'Suite',
    cancel: {
      action: 'Cancel run',
      question: 'Cancel this run?',
      text: 'Conversations that have not begun are skipped, and calls are hung up.',
      keep: 'Go on',
    },
    remove: {
      action: 'Delete',
      question: 'Delete this run?',
      text: 'Its conversations are deleted. Calls and recordings stay.',
      keep: 'Keep',
    },
    results: 'Results',
    columns: {
      caller: 'Caller',
      result: 'Result',
      passed: 'Passed',
      latency: 'Latency, p95',
      cost: 'Cost',
      conversations: 'Conversations',
    },
    passedOf: (passed: number, done: number, required: number) => `${passed} of ${done}, ${required} needed`,
    open: (caller: string, number: number) => `Conversation ${number} of ${caller}`,
    waiting: 'Waiting',
    milliseconds: (value: number) => `${value.toLocaleString('en')} ms`,
    mode: { text: 'in text', voice: 'by phone' },
    /** A suite names its assistant by name or id. */
    held: (assistant: string, mode: string) =>
      /^\d+$/.test(assistant) ? `Assistant #${assistant}, ${mode}` : `${assistant}, ${mode}`,
    compare: {
      label: 'Compare with',
      none: 'No other run',
      title: 'Comparison',
      columns: { caller: 'Caller', change: 'Change', before: 'Before', after: 'Now' },
      change: { same: 'Same', better: 'Better', worse: 'Worse', added: 'New', removed: 'Removed' },
      result: (passed: number, done: number) => `${passed} of ${done}`,
      missing: '–',
    },
  },
  conversation: {
    title: (caller: string, number: number) => `${caller}, conversation ${number}`,
    failures: 'Expectations that were not met',
    passed: 'All expectations were met.',
    facts: {
      latency: 'Latency, p95',
      duration: 'Duration',
      cost: 'Cost',
      ended: 'Ended by',
      call: 'Call',
      outcome: 'Outcome',
    },
    endedBy: { assistant: 'the assistant', caller: 'the caller', system: 'the system' },
    call: (id: number) => `Call ${id}`,
    speaker: { caller: 'Customer', assistant: 'Assistant' },
    tools: 'Tools',
    tool: { ok: 'done', failed: 'failed' },
    recording: 'Recording',
    nothing: 'There was no conversation.',
  },
  replay: {
    columns: { caller: 'Customer', recorded: 'As recorded', now: 'Now' },
    first: 'Greeting',
    silent: '–',
    running: 'The conversation is being held.',
  },
};
