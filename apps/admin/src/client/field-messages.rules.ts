/**
 * Shortens the messages of the API about fields for forms. The API names the field in each message and uses a fixed wording
 * for integrations, which is redundant beside the field.
 */
import { texts } from './texts.ts';

const { field } = texts;

/** The wordings of the API and their replacements in forms. The first match counts. */
const REWORDED: readonly [pattern: RegExp, text: (...values: string[]) => string][] = [
  [/field is required\b.*\.$/, () => field.required],
  [/^The selected .+ is invalid\.$/, () => field.selection],
  [/format is invalid\.$/, () => field.format],
  [/must be between (\S+) and (\S+)\.$/, field.between],
  [/must be at least (\S+)\.$/, field.minimum],
  [/must not be greater than (\S+) characters\.$/, field.maximumCharacters],
  [/must not be greater than (\S+)\.$/, field.maximum],
  [/must not have more than (\S+) items\.$/, field.maximumItems],
  [/must be a number\.$/, () => field.number],
  [/must be an integer\.$/, () => field.integer],
  [/must be a valid URL\.$/, () => field.url],
  [/must be a valid email address\.$/, () => field.email],
  [/must be a valid timezone\.$/, () => field.timezone],
  [/must be a date after now\.$/, () => field.future],
  [/has a duplicate value\.$/, () => field.duplicate],
  [/has already been taken\.$/, () => field.taken],
  [/^Invalid phone number$/, () => field.phoneNumber],
];

/** @param message - of the API; one without a fixed wording is returned as it is */
export function fieldMessage(message: string): string {
  for (const [pattern, text] of REWORDED) {
    const match = pattern.exec(message);
    if (match) return text(...match.slice(1));
  }
  return message;
}
