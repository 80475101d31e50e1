/** Compares a conversation with what is expected of it. */
import { isDeepStrictEqual } from 'node:util';
import type { CallFacts, Conversation } from './conversation.ts';
import { texts } from './suite-texts.ts';
import { isFound, toPhrase, type Phrase } from './phrase.ts';
import type { Expectation } from './suite-fields.ts';

const { failed, measures } = texts;

/** @returns one sentence for each expectation that is not met */
export function failuresOf(expected: Expectation, conversation: Conversation): string[] {
  return [
    ...wordFailures(expected, conversation),
    ...toolFailures(expected, conversation),
    ...endFailures(expected, conversation),
    ...latencyFailures(expected.latency ?? {}, conversation),
    ...valueFailures(expected.variables, conversation.variables, measures.variable),
    ...rangeFailures(measures.cost, limit(expected.max_cost), conversation.cost),
    ...(conversation.call === null ? [] : callFailures(expected, conversation.call)),
  ];
}

function wordFailures({ said = [], not_said: notSaid = [] }: Expectation, { turns }: Conversation): string[] {
  const spoken = turns.filter(({ speaker }) => speaker === 'assistant').map(({ text }) => text);
  return [
    ...said.filter((phrase) => !isFound(phrase, spoken)).map(failed.notSaid),
    ...notSaid.filter((phrase) => isFound(phrase, spoken)).map(failed.said),
  ];
}

function toolFailures(
  { tools = [], no_tools: forbidden = [] }: Expectation,
  { tools: used }: Conversation,
): string[] {
  const missing = tools.flatMap((wanted): string[] => {
    const ofName = used.filter(({ name }) => name === wanted.name);
    const fitting = ofName.filter((use) => fits(wanted.arguments, use.arguments));
    if (fitting.some(({ isOk }) => isOk)) return [];
    const [broken] = fitting;
    if (broken) return [failed.toolFailed(wanted.name, broken.result.slice(0, 200))];
    const hasArguments = Object.keys(wanted.arguments).length > 0;
    const seen = ofName.map((use) => JSON.stringify(use.arguments));
    const given = hasArguments ? failed.withArguments(JSON.stringify(wanted.arguments), seen) : '';
    return [failed.noTool(wanted.name, given)];
  });
  const names = new Set(used.map(({ name }) => name));
  return [...missing, ...forbidden.filter((name) => names.has(name)).map(failed.tool)];
}

/** Values that are not listed may be anything. */
function fits(wanted: Readonly<Record<string, unknown>>, found: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([name, value]) => isEqual(value, ownValue(found, name)));
}

function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** A text may be a regular expression between slashes, which also reads numbers and truth values. */
function isEqual(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== 'string' || isDeepStrictEqual(wanted, found)) return isDeepStrictEqual(wanted, found);
  const phrase = phraseOrNull(wanted);
  const isScalar = typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean';
  return isScalar && phrase?.expression != null && isFound(phrase, [String(found)]);
}

/** A value such as a path may look like an invalid expression. */
function phraseOrNull(source: string): Phrase | null {
  try {
    return toPhrase(source);
  } catch {
    return null;
  }
}

function endFailures({ ended_by: endedBy, turns }: Expectation, conversation: Conversation): string[] {
  const spoken = conversation.turns.filter(({ speaker }) => speaker === 'caller').length;
  const isOther = endedBy !== undefined && endedBy !== conversation.endedBy;
  return [
    ...(isOther ? [failed.endedBy(endedBy, conversation.endedBy)] : []),
    ...rangeFailures(measures.turns, turns, spoken),
  ];
}

function latencyFailures(
  { p95, max, first_words_p95: firstWords }: NonNullable<Expectation['latency']>,
  conversation: Conversation,
): string[] {
  const { latencies } = conversation;
  return [
    ...rangeFailures(measures.p95, limit(p95), percentile95(latencies)),
    ...rangeFailures(measures.max, limit(max), latencies.length === 0 ? null : Math.max(...latencies)),
    ...rangeFailures(measures.firstWords, limit(firstWords), percentile95(conversation.firstWords)),
  ];
}

function limit(max: number | undefined): { max: number } | undefined {
  return max === undefined ? undefined : { max };
}

/** The smallest value that at least 95 % of the values do not exceed; null for none. */
export function percentile95(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? null;
}

function callFailures(expected: Expectation, call: CallFacts): string[] {
  return [
    ...differences(measures.status, expected.status, call.status),
    ...differences(measures.outcome, expected.outcome, call.outcome),
    ...differences(measures.endedReason, expected.ended_reason, call.endedReason),
    ...valueFailures(expected.evaluation, call.evaluation, measures.evaluation),
    ...rangeFailures(measures.silence, limit(expected.max_silence), call.longestSilence),
    ...rangeFailures(measures.duration, expected.duration, call.duration),
  ];
}

function valueFailures(
  wanted: Readonly<Record<string, unknown>> = {},
  found: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string,
): string[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    differences(nameOf(name), value, ownValue(found, name)),
  );
}

function differences(what: string, wanted: unknown, found: unknown): string[] {
  if (wanted === undefined || isEqual(wanted, found)) return [];
  return [failed.differs(what, JSON.stringify(wanted), JSON.stringify(found) ?? texts.none)];
}

/** A value that is not known meets no limit. */
function rangeFailures(
  what: string,
  range: { min?: number | undefined; max?: number | undefined } | undefined,
  found: number | null,
): string[] {
  if (range?.min === undefined && range?.max === undefined) return [];
  if (found === null) return [failed.unknown(what)];
  const { min = -Infinity, max = Infinity } = range;
  if (found < min) return [failed.fewer(what, min, found)];
  return found > max ? [failed.more(what, max, found)] : [];
}
