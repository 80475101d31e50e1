/**
 * Turns the statements that one request of the api sent into a plan that another server can repeat for other requests:
 * values that differ from request to request become placeholders, the others stay as they were.
 */
import type { RecordedStatement } from './process-probe.ts';

/** Where a value of a repeated statement comes from. */
export type PlannedValue =
  | { from: 'constant'; value: unknown }
  /** The current time. */
  | { from: 'now' }
  /** Text with placeholders for the requested number, the created id, and new UUIDs. */
  | { from: 'text'; template: string; isNumber: boolean };

/** One statement to repeat. */
export interface PlannedStatement {
  name?: string;
  /** Statements of the ORM contain their values. {@link VERSION} takes the place of one that must be unique. */
  text: string;
  values: PlannedValue[];
  /** The column of the first row that holds the id of the created row; absent: it creates none. */
  idColumn?: number;
}

/** The values of the recorded request that differ from request to request. */
export interface Sample {
  /** The requested phone number; null: none. */
  phoneNumber: string | null;
  /** The id in the answer; null: none. */
  id: number | null;
  /** The version of the assistant that the request made; null: none. */
  version: number | null;
}

/** Placeholders of the number, the id and a new UUID in a template. */
export const PHONE = '\u{1}phone\u{1}';
export const ID = '\u{1}id\u{1}';
/** Placeholder of a new version in the text of a statement. */
export const VERSION = '\u{1}version\u{1}';

export const UUID = '\u{1}uuid\u{1}';

const ANY_UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** @param sample - its values must not occur in the statements by coincidence */
export function planFrom(statements: readonly RecordedStatement[], sample: Sample): PlannedStatement[] {
  let isIdGiven = false;
  return statements.map(({ name, text, values, rows }) => {
    const planned = values.map((value) => plannedValue(value, sample));
    const column =
      isIdGiven || sample.id === null
        ? -1
        : (rows[0] ?? []).findIndex((cell) => String(cell) === String(sample.id));
    isIdGiven ||= column >= 0;
    return {
      ...(name === undefined ? {} : { name }),
      text: sample.version === null ? text : text.replace(String(sample.version), VERSION),
      values: planned,
      ...(column < 0 ? {} : { idColumn: column }),
    };
  });
}

function plannedValue(value: unknown, { phoneNumber, id }: Sample): PlannedValue {
  if (value instanceof Date) return { from: 'now' };
  if (typeof value === 'number') {
    return value === id ? { from: 'text', template: ID, isNumber: true } : { from: 'constant', value };
  }
  if (typeof value !== 'string') return { from: 'constant', value };
  let template = value.replaceAll(ANY_UUID, UUID);
  if (phoneNumber !== null) template = template.replaceAll(phoneNumber, PHONE);
  if (id !== null) template = template.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), ID);
  return template === value ? { from: 'constant', value } : { from: 'text', template, isNumber: false };
}
