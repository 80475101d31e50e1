/**
 * The texts of validation errors, in the wording that existing clients expect (docs/api.md, "Errors, in general").
 * A schema gives a template with `:attribute`; {@link fieldErrors} puts in the field's name once its path is known.
 */

/** The parts of zod's issue that a text needs. */
export interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** Field name, as sent, to the texts about it. */
export type FieldErrors = Record<string, string[]>;

/** Templates, one per rule. `:attribute` is replaced by the field's name, with spaces for underscores. */
export const wording = {
  required: 'The :attribute field is required.',
  /** @param condition - for example `is_webhook_active is true`; underscores become spaces */
  requiredWhen: (condition: string) => `The :attribute field is required when ${withSpaces(condition)}.`,
  /** @param condition - as of `requiredWhen` */
  onlyWhen: (condition: string) => `The :attribute can only be set when ${withSpaces(condition)}.`,
  selected: 'The selected :attribute is invalid.',
  integer: 'The :attribute must be an integer.',
  number: 'The :attribute must be a number.',
  string: 'The :attribute must be a string.',
  /** Also for objects: the platform of existing clients calls both arrays. */
  array: 'The :attribute must be an array.',
  boolean: 'The :attribute field must be true or false.',
  between: (minimum: number, maximum: number) => `The :attribute must be between ${minimum} and ${maximum}.`,
  atLeast: (minimum: number) => `The :attribute must be at least ${minimum}.`,
  atMost: (maximum: number) => `The :attribute must not be greater than ${maximum}.`,
  atMostCharacters: (maximum: number) => `The :attribute must not be greater than ${maximum} characters.`,
  atMostKilobytes: (maximum: number) => `The :attribute must not be greater than ${maximum} kilobytes.`,
  atMostItems: (maximum: number) => `The :attribute must not have more than ${maximum} items.`,
  url: 'The :attribute must be a valid URL.',
  timezone: 'The :attribute must be a valid timezone.',
  format: 'The :attribute format is invalid.',
  /** The value must be unique. */
  taken: 'The :attribute has already been taken.',
  /** The same entry twice in one list. */
  distinct: 'The :attribute field has a duplicate value.',
  future: 'The :attribute must be a date after now.',
  email: 'The :attribute must be a valid email address.',
  /** The text of the API reference for the status of a lead. */
  statusIsAutomatic: 'The status is assigned automatically and cannot be set manually.',
  /** A key that has no meaning. */
  prohibited: 'The :attribute field is prohibited.',
} as const;

function withSpaces(text: string): string {
  return text.replaceAll('_', ' ');
}

/** The key of a field in `errors`: path segments joined by dots. */
export function fieldKey(path: ValidationIssue['path']): string {
  return (path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
}

/** Name of a field inside a sentence. A field inside a list keeps its path: `post_call_schema.0.name`. */
function fieldName(key: string): string {
  const isInsideList = key.split('.').some((segment) => /^\d+$/.test(segment));
  return isInsideList ? key : withSpaces(key);
}

/** Inserts a field's name into a template: `fieldText('voice_id', wording.selected)`. */
export function fieldText(key: string, template: string): string {
  return template.replaceAll(':attribute', () => fieldName(key));
}

/** The error of one field, for rules that only a use case can check, such as references. */
export function fieldFault(key: string, template: string): FieldErrors {
  return { [key]: [fieldText(key, template)] };
}

/** An answer lists at most this many errors, so that a small request cannot cause a large answer. */
export const MAX_LISTED_ERRORS = 50;

/** Groups the first issues by field, in the order in which they were found, each text once. */
export function fieldErrors(issues: readonly ValidationIssue[]): FieldErrors {
  const errors = new Map<string, Set<string>>();
  for (const issue of issues.slice(0, MAX_LISTED_ERRORS)) {
    const key = fieldKey(issue.path);
    const texts = errors.get(key) ?? new Set<string>();
    errors.set(key, texts.add(fieldText(key, issue.message)));
  }
  return Object.fromEntries([...errors].map(([key, texts]) => [key, [...texts]]));
}
