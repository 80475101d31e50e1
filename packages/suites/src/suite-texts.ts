/** The texts of suites: faults of a suite, expectations that are not met, and conversations that were not held. */
const list = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ');

/** Plain texts, and functions for texts with values. */
export const texts = {
  file: {
    tooLarge: 'It is larger than 1 MiB.',
    line: (line: number | null, path: string, message: string) =>
      `${line === null ? '' : `line ${line}, `}${path === '' ? 'the file' : path}: ${message}`,
  },
  field: {
    required: 'This field is required.',
    unknown: (names: readonly string[]) => `There is no such field: ${list(names)}.`,
    type: (expected: string) => `It must be ${expected}.`,
    choice: (values: readonly string[]) => `It must be one of ${list(values)}.`,
    atLeast: (what: string) => `It must be at least ${what}.`,
    atMost: (what: string) => `It must be at most ${what}.`,
    other: 'The value has another form than this field allows.',
    pattern: 'It is not a valid regular expression.',
    assistant: 'Name an assistant here or for the whole file.',
    words: 'A caller in text mode has either a script (with or without rules) or a persona.',
    player: 'A persona needs a player: name one for the whole file.',
    phone: 'A caller in voice mode needs a phone.',
    notOnPhone: 'The built-in test phones speak for a caller in voice mode: remove this field.',
    notInText: 'A phone is only for callers in voice mode (mode: voice).',
    voiceOnly: 'This is known for calls only (mode: voice).',
    textOnly: 'This is known in text mode only.',
    range: 'The minimum is greater than the maximum.',
    twice: 'Another caller has this name.',
  },
  types: {
    array: 'a list',
    boolean: 'true or false',
    int: 'a whole number',
    number: 'a number',
    object: 'a group of fields',
    record: 'a group of fields',
    string: 'a text',
  } as Record<string, string>,
  set: {
    noAssistant: (name: string | number) => `There is no assistant "${name}".`,
    twoAssistants: (name: string) => `Several assistants have the name "${name}". Use the id.`,
    noKey: (name: string) => `The environment variable ${name} of the player is not set.`,
  },
  failed: {
    notSaid: ({ source }: { source: string }) => `The assistant did not say "${source}".`,
    said: ({ source }: { source: string }) => `The assistant said "${source}".`,
    noTool: (name: string, given: string) => `The tool ${name} was not used${given}.`,
    withArguments: (given: string, used: readonly string[]) =>
      ` with ${given}${used.length === 0 ? '' : `; it was used with ${used.join(' and ')}`}`,
    tool: (name: string) => `The tool ${name} was used.`,
    toolFailed: (name: string, result: string) => `The tool ${name} failed: ${result}`,
    endedBy: (wanted: string, found: string | null) =>
      `The conversation was ended by ${found ?? 'neither side'}, not by ${wanted}.`,
    fewer: (what: string, limit: number, found: number) => `${what}: ${found}, at least ${limit} expected.`,
    more: (what: string, limit: number, found: number) => `${what}: ${found}, at most ${limit} expected.`,
    unknown: (what: string) => `${what}: not known.`,
    differs: (what: string, wanted: string, found: string) => `${what}: ${found}, expected ${wanted}.`,
  },
  measures: {
    turns: 'Turns of the caller',
    p95: 'Latency, 95th percentile (ms)',
    max: 'Longest latency (ms)',
    firstWords: 'First words, 95th percentile (ms)',
    silence: 'Longest silence (ms)',
    cost: 'Cost',
    duration: 'Duration (s)',
    status: 'Status',
    outcome: 'Outcome',
    endedReason: 'End reason',
    variable: (name: string) => `Variable ${name}`,
    evaluation: (name: string) => `Evaluation ${name}`,
  },
  run: {
    slowPattern: (source: string) => `The regular expression /${source}/ needs too much time.`,
    noAnswer: 'The player gave no usable answer.',
    refused: (status: number) => `The player answered with HTTP ${status}.`,
    tooLong: (callId: number) => `Call ${callId} did not end within its time limit.`,
  },
  none: '-',
};
