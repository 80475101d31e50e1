/**
 * The evaluation of a call: an object keyed by the names of the assistant's schema, a value of the promised type or null
 * under each. Whatever a model makes up, nothing else gets onto the record.
 *
 * @see Specification, Assistant: post_call_schema (`string`, `number`, `bool`)
 */
import type { PostCallField, StoredTurn } from '@parley/db';
import { dispositionField, readDisposition } from './disposition.rules.ts';

/** What stands on the record. */
export type Evaluation = Record<string, string | number | boolean | null>;

/** Why there is none; a word for the timeline. */
export type UnevaluatedReason =
  /** The built-in model follows a script and judges nothing. */
  | 'no_llm'
  /** Nothing was said. */
  | 'nothing_said'
  /** The model failed, or kept answering something else than was asked. */
  | 'model_failed'
  | 'invalid_answer'
  /** It did not come within 60 s of the hang-up. */
  | 'timed_out';

/** What decides whether a call is evaluated, and with which form. */
export interface EvaluatedConfiguration {
  assistant: { isPostCallEvaluated: boolean; postCallSchema: readonly PostCallField[] };
  /** The dispositions of the campaign. */
  dispositions?: readonly string[] | undefined;
}

/** The fields of the assistant that are filled in; none where its evaluation is off. */
export function evaluatedFields({ assistant }: EvaluatedConfiguration): readonly PostCallField[] {
  return assistant.isPostCallEvaluated ? assistant.postCallSchema : [];
}

/** Whether anything is to be filled in at all. */
export function isEvaluationWanted(configuration: EvaluatedConfiguration): boolean {
  return evaluatedFields(configuration).length > 0 || (configuration.dispositions ?? []).length > 0;
}

/**
 * Why a call that has ended is not evaluated; null: it is evaluated.
 *
 * @param call.modelKind - of the provider of its model; null: it was removed
 */
export function unevaluatedBecause(call: {
  configuration: EvaluatedConfiguration;
  modelKind: string | null;
  turns: readonly Pick<StoredTurn, 'sender'>[];
}): UnevaluatedReason | null {
  const hasModel = call.modelKind !== null && call.modelKind !== 'built-in';
  if (!hasModel || !isEvaluationWanted(call.configuration)) return 'no_llm';
  return call.turns.some(({ sender }) => sender === 'human') ? null : 'nothing_said';
}

/** Longest text that is kept of one field, characters. */
const MAX_TEXT = 10_000;

/** A number as a caller says or keys it, without grouping. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/u;
/** What a script stores for a field of the type `bool`. */
const BOOLEAN_WORDS = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/**
 * The evaluation of a call that no model has evaluated: each field holds the value that was collected during the call
 * under the name of the field, or null. The reason is in the timeline.
 *
 * @param collected - the variables of the call: answers stored by a script, and keys
 */
export function collectedEvaluation(
  schema: readonly PostCallField[],
  collected: Readonly<Record<string, unknown>>,
): Evaluation {
  const values = schema.map((field): [string, Evaluation[string]] => {
    const value = Object.getOwnPropertyDescriptor(collected, field.name)?.value as unknown;
    return [
      field.name,
      readField(field, typeof value === 'string' ? typedValue(field, value) : value) ?? null,
    ];
  });
  return Object.fromEntries(values);
}

function typedValue({ type }: PostCallField, text: string): unknown {
  const word = text.trim().toLowerCase();
  if (type === 'bool') return BOOLEAN_WORDS.get(word);
  if (type === 'number') return DECIMAL.test(word) ? Number(word) : undefined;
  return text;
}

/**
 * What a model has filled in, as far as it keeps to the schema.
 *
 * @param answer - anything
 * @param dispositions - those of the campaign; empty: the form has no field for one
 * @returns `faults`: one line for each field that is missing or of another type, for the model to read
 */
export function readEvaluation(
  schema: readonly PostCallField[],
  answer: unknown,
  dispositions: readonly string[] = [],
): { values: Evaluation; disposition: string | null; faults: string[] } {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    const faults = ['The answer must be an object.'];
    return { values: collectedEvaluation(schema, {}), disposition: null, faults };
  }
  const faults: string[] = [];
  const entries = schema.map((field): [string, Evaluation[string]] => {
    const value = readField(field, Object.getOwnPropertyDescriptor(answer, field.name)?.value);
    if (value === undefined) faults.push(`"${field.name}" must be ${TYPE_WORDS[field.type]} or null.`);
    return [field.name, value ?? null];
  });
  const name = dispositionField(schema);
  const chosen = Object.getOwnPropertyDescriptor(answer, name)?.value as unknown;
  const disposition = dispositions.length === 0 ? null : readDisposition(dispositions, chosen);
  if (disposition === undefined) faults.push(`"${name}" must be one of its values or null.`);
  return { values: Object.fromEntries(entries), disposition: disposition ?? null, faults };
}

const TYPE_WORDS: Record<PostCallField['type'], string> = {
  string: 'a text',
  number: 'a number',
  bool: 'true or false',
};

/** @returns undefined when the value is none of this type; null is one of every type */
function readField(field: PostCallField, value: unknown): Evaluation[string] | undefined {
  if (value === null) return null;
  switch (field.type) {
    case 'string':
      // NUL and halves of surrogate pairs are characters that Postgres cannot store.
      return typeof value === 'string'
        ? value.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed()
        : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
  }
}
