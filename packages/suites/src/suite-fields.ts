/** The fields of a suite file. docs/evaluations.md describes them. */
import { callOutcomes, callStatuses } from '@parley/contracts/call-states';
import { z } from 'zod';
import { texts } from './suite-texts.ts';
import { toPhrase } from './phrase.ts';

const MAX_CALLERS = 500;
const MAX_RUNS = 100;
/** Greeting, turns of the caller and replies fit the 100 messages of the endpoint. */
export const MAX_TURNS = 45;
const MAX_CHARACTERS = 4000;

const text = z.string().min(1).max(MAX_CHARACTERS);
const phrase = z
  .string()
  .min(1)
  .max(500)
  .transform((source, context) => {
    try {
      return toPhrase(source);
    } catch {
      context.addIssue({ code: 'custom', message: texts.field.pattern });
      return z.NEVER;
    }
  });
const phrases = z.array(phrase).max(100);
const assistant = z.union([z.int().min(1), text]);
const values = z.record(z.string(), z.unknown());
const atLeastNothing = z.number().min(0);

const range = z
  .strictObject({ min: atLeastNothing.optional(), max: atLeastNothing.optional() })
  .refine(({ min = 0, max = Infinity }) => min <= max, texts.field.range);

const toolUse = z.union([
  text.transform((name) => ({ name, arguments: {} as Record<string, unknown> })),
  z.strictObject({ name: text, arguments: values.default({}) }),
]);

/** What is expected of a conversation; an absent field is not checked. */
const expectation = z.strictObject({
  /** Each is in at least one turn of the assistant. */
  said: phrases.optional(),
  /** None is in any turn of the assistant. */
  not_said: phrases.optional(),
  /** Each was used, and did not fail; arguments that are not listed may have any value. */
  tools: z.array(toolUse).max(50).optional(),
  no_tools: z.array(text).max(50).optional(),
  /** `system`: for calls only, such as a lost line. */
  ended_by: z.enum(['assistant', 'caller', 'system']).optional(),
  /** The number of turns of the caller. */
  turns: range.optional(),
  /** Milliseconds: in text mode the whole reply, in voice mode the silence that the caller hears. */
  latency: z
    .strictObject({
      p95: atLeastNothing.optional(),
      max: atLeastNothing.optional(),
      /** Text mode: until the first words of the model. */
      first_words_p95: atLeastNothing.optional(),
    })
    .optional(),
  variables: values.optional(),
  // The rest is for calls.
  status: z.enum(callStatuses).optional(),
  outcome: z.enum(callOutcomes).optional(),
  ended_reason: text.optional(),
  evaluation: values.optional(),
  /** The longest time in which neither side was heard, milliseconds. */
  max_silence: atLeastNothing.optional(),
  max_cost: atLeastNothing.optional(),
  /** Seconds. */
  duration: range.optional(),
});

/** The behaviour of the built-in test phones, by the last two digits of their numbers. */
export const phones = {
  talks: '00',
  'books-monday': '47',
  'books-wednesday': '48',
  'books-friday': '49',
  voicemail: '50',
  busy: '60',
  'no-answer': '70',
  declines: '80',
  'hangs-up': '85',
  'presses-keys': '90',
  'out-of-service': '95',
  silent: '98',
  echo: '99',
} as const;

const phoneNames = Object.keys(phones) as (keyof typeof phones)[];

const caller = z.strictObject({
  name: z.string().min(1).max(200),
  mode: z.enum(['text', 'voice']).default('text'),
  assistant: assistant.optional(),
  variables: values.default({}),
  /** What the caller says, turn by turn; then the caller hangs up. */
  script: z.array(text).min(1).max(MAX_TURNS).optional(),
  /** Come before the script: the first whose phrase is in the assistant's last turn. */
  rules: z
    .array(z.strictObject({ when: phrase, say: text }))
    .min(1)
    .max(50)
    .optional(),
  /** Who the caller is and what they want, for the player. */
  persona: text.optional(),
  phone: z.enum(phoneNames).optional(),
  runs: z.int().min(1).max(MAX_RUNS).optional(),
  pass_rate: z.number().min(0).max(1).optional(),
  max_turns: z.int().min(1).max(MAX_TURNS).optional(),
  expect: expectation.default({}),
});

const player = z.union([
  z.strictObject({ assistant }),
  z.strictObject({
    /** The URL of a server with OpenAI's protocol, up to `/v1`. */
    base_url: z.url({ protocol: /^https?$/ }),
    model: text,
    /** The environment variable that holds the key. */
    api_key_env: text.optional(),
  }),
]);

const fields = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  assistant: assistant.optional(),
  /** HTTP tools of the assistant really run. */
  run_tools: z.boolean().default(false),
  variables: values.default({}),
  player: player.optional(),
  runs: z.int().min(1).max(MAX_RUNS).default(1),
  pass_rate: z.number().min(0).max(1).default(1),
  max_turns: z.int().min(1).max(MAX_TURNS).default(20),
  /** For every caller; a field of the caller's own list replaces it. */
  expect: expectation.default({}),
  callers: z.array(caller).min(1).max(MAX_CALLERS),
});

type Fields = z.output<typeof fields>;
type CallerFields = Fields['callers'][number];

const ONLY_TEXT = ['script', 'rules', 'persona', 'max_turns'] as const;
const CALLS_ONLY = ['status', 'outcome', 'ended_reason', 'evaluation', 'max_silence', 'duration'] as const;

/** A suite file. */
export const suiteFile = fields.superRefine((suite, context) => {
  const fault = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  const names = new Set<string>();
  for (const [index, one] of suite.callers.entries()) {
    const at = ['callers', index];
    if (names.has(one.name)) fault([...at, 'name'], texts.field.twice);
    names.add(one.name);
    if (one.assistant === undefined && suite.assistant === undefined)
      fault([...at, 'assistant'], texts.field.assistant);
    const faults = one.mode === 'text' ? faultsOfTextCaller(suite, one) : faultsOfVoiceCaller(one);
    for (const { path, message } of faults) fault([...at, ...path], message);
  }
});

interface Fault {
  path: string[];
  message: string;
}

function faultsOfTextCaller({ player: given }: Fields, one: CallerFields): Fault[] {
  const isScripted = one.script !== undefined || one.rules !== undefined;
  const faults: Fault[] = CALLS_ONLY.filter((name) => one.expect[name] !== undefined).map((name) => ({
    path: ['expect', name],
    message: texts.field.voiceOnly,
  }));
  if (one.expect.ended_by === 'system')
    faults.push({ path: ['expect', 'ended_by'], message: texts.field.voiceOnly });
  if (isScripted === (one.persona !== undefined)) faults.push({ path: [], message: texts.field.words });
  if (one.persona !== undefined && given === undefined)
    faults.push({ path: ['persona'], message: texts.field.player });
  if (one.phone !== undefined) faults.push({ path: ['phone'], message: texts.field.notInText });
  return faults;
}

function faultsOfVoiceCaller(one: CallerFields): Fault[] {
  const faults: Fault[] = ONLY_TEXT.filter((name) => one[name] !== undefined).map((name) => ({
    path: [name],
    message: texts.field.notOnPhone,
  }));
  if (one.expect.latency?.first_words_p95 !== undefined)
    faults.push({ path: ['expect', 'latency', 'first_words_p95'], message: texts.field.textOnly });
  if (one.phone === undefined) faults.push({ path: ['phone'], message: texts.field.phone });
  return faults;
}

/** What is expected of a conversation. */
export type Expectation = z.output<typeof expectation>;
/** Who plays the personas. */
export type PlayerFields = z.output<typeof player>;
/** A suite file, as it is written. */
export type SuiteFields = Fields;

/** One caller with what applies to all. */
export interface SuiteCaller extends Omit<CallerFields, 'assistant' | 'runs' | 'pass_rate' | 'max_turns'> {
  assistant: string | number;
  runs: number;
  passRate: number;
  maxTurns: number;
}

/** Each caller with the settings of the file that it does not have itself. Only fields of its mode are taken over. */
export function callersOf(suite: Fields): SuiteCaller[] {
  return suite.callers.map((one) => ({
    ...one,
    assistant: one.assistant ?? suite.assistant ?? '',
    variables: { ...suite.variables, ...one.variables },
    runs: one.runs ?? suite.runs,
    passRate: one.pass_rate ?? suite.pass_rate,
    maxTurns: one.max_turns ?? suite.max_turns,
    expect: { ...sharedFor(one.mode, suite.expect), ...one.expect },
  }));
}

/** What is expected of all callers may name facts that only calls have. */
function sharedFor(mode: CallerFields['mode'], shared: Expectation): Expectation {
  if (mode === 'voice') return shared;
  const entries = Object.entries(shared).filter(([name]) => !CALLS_ONLY.some((other) => other === name));
  return Object.fromEntries(entries);
}
