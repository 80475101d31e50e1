/** Removes what an assistant wants redacted from everything that a call stores and its webhook sends. */
import type { RedactedKind } from '@parley/contracts';
import type { StoredToolCall, StoredTurn } from '@parley/db';
import { cardsInParts, isCardNumber, redactText } from './redact-text.rules.ts';

/** What was said and collected in a call. */
export interface CallWords {
  /** One turn a line. */
  transcript: string;
  turns: StoredTurn[];
  toolCalls: StoredToolCall[];
  variables: Record<string, unknown>;
}

/** @param kinds - empty: the words stay as they are */
export function redactWords<Words extends CallWords>(words: Words, kinds: readonly RedactedKind[]): Words {
  if (kinds.length === 0) return words;
  return {
    ...words,
    transcript: redactLines(words.transcript, kinds),
    turns: redactTurns(words.turns, kinds),
    toolCalls: words.toolCalls.map((use) => ({
      ...use,
      arguments: redactValues(use.arguments, kinds),
      result: redactText(use.result, kinds),
    })),
    variables: redactValues(words.variables, kinds),
  };
}

/** Card numbers that the customer dictates in several turns are found across them. */
function redactTurns(turns: readonly StoredTurn[], kinds: readonly RedactedKind[]): StoredTurn[] {
  const customer = turns.filter(({ sender }) => sender === 'human');
  const cards = cardsInParts(customer.map(({ text }) => text));
  const cardsOf = new Map(customer.map((turn, index) => [turn, cards[index]]));
  return turns.map((turn) => ({ ...turn, text: redactText(turn.text, kinds, cardsOf.get(turn)) }));
}

const CUSTOMER = /^Customer: /;

function redactLines(transcript: string, kinds: readonly RedactedKind[]): string {
  const lines = transcript.split('\n');
  const spoken = lines.map((line) => (CUSTOMER.test(line) ? line : ''));
  const cards = cardsInParts(spoken);
  return lines.map((line, index) => redactText(line, kinds, cards[index])).join('\n');
}

/** Redacts every text of a JSON object, at any depth, and card numbers that are written as JSON numbers. */
export function redactValues(
  values: Record<string, unknown>,
  kinds: readonly RedactedKind[],
): Record<string, unknown> {
  if (kinds.length === 0) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redactValue(value, kinds)]));
}

function redactValue(value: unknown, kinds: readonly RedactedKind[]): unknown {
  if (typeof value === 'string') return redactText(value, kinds);
  if (typeof value === 'number' && isCardNumber(String(value))) return redactText(String(value), kinds);
  if (Array.isArray(value)) return value.map((part) => redactValue(part, kinds));
  if (typeof value === 'object' && value !== null)
    return redactValues(value as Record<string, unknown>, kinds);
  return value;
}
