/**
 * Parses the text of a scripted dialogue (docs/scripted-dialogue.md). Tolerates differences in case, white space, quotes,
 * colons and the form of the arrow; reports all errors at once, each with its line.
 *
 * Prompts come from users and are parsed in the api, so parsing must take linear time: no regular expression here may
 * backtrack over a part of a line repeatedly.
 */
import { wordsOf } from './phrases.rules.ts';
import type { Answer, Script, ScriptFault, ScriptState } from './script.ts';

const MARK = /^\s*#\s*script\b/i;
const ARROW = /->|=>|→/;
const KEY = /^(?:keys?|press)\s+([0-9*#])$/i;
const NOTE_NAME = /^[a-z][a-z0-9_]*$/i;
const ANYWHERE = 'anywhere';
const DEFAULT_TRIES = 2;
const MOST_TRIES = 5;
/** The maximum of faults in one answer, so that a long faulty text does not produce an even longer error. */
const MOST_FAULTS = 50;
/** With more phrases, a recogniser of fixed phrases becomes unreliable. */
const MOST_PHRASES = 60;

/** A state that is being parsed; `line` is where it begins. */
interface Draft extends Omit<ScriptState, 'answers'> {
  line: number;
  answers: (Answer & { line: number })[];
}
interface Reading {
  drafts: Map<string, Draft>;
  current: Draft | null;
  line: number;
  faults: ScriptFault[];
}

/** A script with errors. */
export class ScriptError extends Error {
  readonly faults: readonly ScriptFault[];

  constructor(faults: readonly ScriptFault[]) {
    super(faults.map(({ line, message }) => `Line ${line}: ${message}`).join(' '));
    this.name = 'ScriptError';
    this.faults = faults;
  }
}

/** Whether a prompt is a script: its first line is `#script`. */
export function isScript(prompt: string): boolean {
  return MARK.test(prompt);
}

/** @throws ScriptError with the first 50 faults */
export function parseScript(text: string): Script {
  const reading = read(text);
  const script = toScript(reading.drafts);
  const faults = [...reading.faults, ...findFaults(reading.drafts)];
  if (faults.length > 0)
    throw new ScriptError(faults.toSorted((a, b) => a.line - b.line).slice(0, MOST_FAULTS));
  return script;
}

/** The first 50 faults of a script. */
export function checkScript(text: string): readonly ScriptFault[] {
  try {
    parseScript(text);
    return [];
  } catch (error) {
    if (error instanceof ScriptError) return error.faults;
    throw error;
  }
}

function read(text: string): Reading {
  const reading: Reading = { drafts: new Map(), current: null, line: 0, faults: [] };
  for (const raw of text.trimStart().split(/\r\n|\r|\n/u)) {
    reading.line += 1;
    const line = raw.trim();
    const isRemark = line === '' || line.startsWith('//') || (reading.line === 1 && MARK.test(line));
    if (!isRemark) readLine(reading, line);
  }
  return reading;
}

function readLine(reading: Reading, line: string): void {
  const isState = line.startsWith('[') && line.endsWith(']') && line.slice(1, -1).trim() !== '';
  if (isState) return beginState(reading, nameOf(line.slice(1, -1)));
  const word = /^[a-z]+/i.exec(line)?.[0] ?? '';
  const rest = line.slice(word.length).trim().replace(/^:/, '').trim();
  const instruction = INSTRUCTIONS[word.toLowerCase()];
  if (!instruction)
    return fault(reading, 'A line must begin with say, again, on, tries, otherwise, end, or a [state].');
  if (!reading.current) return fault(reading, 'This line comes before the first [state].');
  instruction(reading, reading.current, rest);
}

function beginState(reading: Reading, name: string): void {
  const { line, drafts } = reading;
  if (drafts.has(name)) fault(reading, `There are two states [${name}].`);
  reading.current = { line, say: '', again: null, answers: [], tries: DEFAULT_TRIES, otherwise: null };
  drafts.set(name, reading.current);
}

type Instruction = (reading: Reading, state: Draft, rest: string) => void;

const INSTRUCTIONS: Readonly<Record<string, Instruction | undefined>> = {
  __proto__: null as never,
  say: (_reading, state, rest) => {
    state.say = joined(state.say, rest);
  },
  again: (_reading, state, rest) => {
    state.again = joined(state.again ?? '', rest);
  },
  on: readAnswer,
  tries: readTries,
  otherwise: (_reading, state, rest) => {
    state.otherwise = nameOf(rest.replace(ARROW, ''));
  },
  end: () => undefined, // a state without answers ends the call; the line only makes this visible
};

function readTries(reading: Reading, state: Draft, rest: string): void {
  const tries = Number(rest);
  if (rest !== '' && Number.isInteger(tries) && tries >= 0 && tries <= MOST_TRIES) state.tries = tries;
  else fault(reading, `"tries" must be followed by a number from 0 to ${MOST_TRIES}.`);
}

function readAnswer(reading: Reading, state: Draft, rest: string): void {
  const [asked = '', target = ''] = rest.split(ARROW).map((part) => part.trim());
  if (target === '') return fault(reading, 'Write an answer as: on yes, key 1 -> name of the next state.');
  const [next = '', ...notes] = target.split(',').map((part) => part.trim());
  const items = asked.split(/[,|]/).map(unquoted);
  const keys = items.flatMap((item) => KEY.exec(item)?.[1] ?? []);
  const isAnything = (item: string): boolean => /^anything$/i.test(item);
  const phrases = items.filter((item) => !KEY.test(item) && !isAnything(item));
  if (phrases.some((phrase) => wordsOf(phrase).length === 0))
    fault(reading, 'Each answer between commas must be words, or "key" followed by one of 0-9 * #.');
  const answer = { phrases, keys, takesAnything: items.some(isAnything), next: nameOf(next) };
  state.answers.push({ ...answer, notes: readNotes(reading, notes), line: reading.line });
}

function readNotes(reading: Reading, notes: readonly string[]): Record<string, string> {
  const pairs = notes.flatMap((note) => {
    const at = note.indexOf('=');
    const name = note.slice(0, Math.max(0, at)).trim();
    const value = note.slice(at + 1).trim();
    if (NOTE_NAME.test(name) && value !== '') return [[name, unquoted(value)]];
    fault(reading, `"${note}" is not a value to store; write it as: name = value.`);
    return [];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Faults that can only be found in the complete script. */
function findFaults(drafts: ReadonlyMap<string, Draft>): ScriptFault[] {
  const names = new Set([...drafts.keys()].filter((name) => name !== ANYWHERE));
  if (names.size === 0) return [{ line: 1, message: 'There is no [state].' }];
  const noted = notedNames(drafts);
  return [...drafts].flatMap(([name, draft]) => [
    ...(draft.say === '' && name !== ANYWHERE
      ? [{ line: draft.line, message: `[${name}] says nothing.` }]
      : []),
    ...missingTargets(draft, names),
    ...doubleAnswers(draft),
    ...unknownNotes(draft, noted),
  ]);
}

function missingTargets(draft: Draft, names: ReadonlySet<string>): ScriptFault[] {
  const ways = draft.answers.map(({ next, line }) => ({ next, line }));
  if (draft.otherwise !== null) ways.push({ next: draft.otherwise, line: draft.line });
  return ways
    .filter(({ next }) => !names.has(next))
    .map(({ next, line }) => ({ line, message: `There is no state [${next}].` }));
}

function doubleAnswers({ answers, line: stateLine }: Draft): ScriptFault[] {
  const seen = new Set<string>();
  const faults: ScriptFault[] = [];
  for (const { phrases, keys, line } of answers) {
    const given = [...phrases.map((phrase) => wordsOf(phrase).join(' ')), ...keys.map((key) => `key ${key}`)];
    for (const answer of given) {
      if (seen.has(answer)) faults.push({ line, message: `This state has the answer "${answer}" twice.` });
      seen.add(answer);
    }
  }
  if (seen.size > MOST_PHRASES)
    faults.push({ line: stateLine, message: `A state has at most ${MOST_PHRASES} answers.` });
  return faults;
}

/** `{{name}}` is a variable of the call and not checked here. */
function unknownNotes({ say, again, line }: Draft, noted: ReadonlySet<string>): ScriptFault[] {
  const names = [...`${say} ${again ?? ''}`.matchAll(/(?<!\{)\{([^{}]+)\}(?!\})/gu)].map(([, name = '']) =>
    name.trim(),
  );
  return names
    .filter((name) => !noted.has(name))
    .map((name) => ({ line, message: `No answer stores {${name}}.` }));
}

function notedNames(drafts: ReadonlyMap<string, Draft>): Set<string> {
  return new Set(
    [...drafts.values()].flatMap(({ answers }) => answers.flatMap(({ notes }) => Object.keys(notes))),
  );
}

function toScript(drafts: ReadonlyMap<string, Draft>): Script {
  const states = new Map<string, ScriptState>([...drafts].filter(([name]) => name !== ANYWHERE));
  return { first: [...states.keys()][0] ?? '', states, anywhere: drafts.get(ANYWHERE)?.answers ?? [] };
}

function nameOf(text: string): string {
  return unquoted(text).replaceAll(/\s+/gu, ' ').toLowerCase();
}

function joined(before: string, line: string): string {
  return before === '' || line === '' ? before + line : `${before} ${line}`;
}

function unquoted(text: string): string {
  return text
    .trim()
    .replaceAll(/^["'“”]|["'“”]$/gu, '')
    .trim();
}

function fault({ faults, line }: Reading, message: string): void {
  faults.push({ line, message });
}
