/**
 * Lists that are read on from a record instead of by page numbers: the query field `cursor`, and the answer to it. A cursor
 * contains the position of the last record in the order of the list, so that records that are added or removed meanwhile
 * move no others. See docs/api.md, "Pagination envelope".
 */
import { z } from 'zod';
import { text } from './fields.ts';
import { wording } from './field-wording.ts';

const MAX_LENGTH = 200;

/** A parsed `cursor`. */
export interface Cursor<Position> {
  /** The position of the last record that was read; null for the beginning. */
  after: Position | null;
}

/**
 * The query field; empty means the beginning of the list. Absent: the list is read by page numbers.
 *
 * @param position - the values that order the list, without text outside ASCII
 */
export function cursorQuery<Position>(position: z.ZodType<Position>) {
  return text({ maximum: MAX_LENGTH })
    .transform((value, context): Cursor<Position> => {
      if (value === '') return { after: null };
      const { data, success } = position.safeParse(decode(value));
      if (success) return { after: data };
      context.issues.push({ code: 'custom', message: wording.selected, input: value });
      return z.NEVER;
    })
    .optional();
}

/** Schema of the answer to a `cursor`. */
export function cursorPage<Record extends z.ZodType>(record: Record) {
  return z.strictObject({ data: z.array(record), per_page: z.int(), next_cursor: z.string().nullable() });
}

/** Records as they are sent to a `cursor`. */
export interface CursorPage<Record> {
  data: Record[];
  per_page: number;
  /** Null at the end of the list. */
  next_cursor: string | null;
}

/**
 * Wraps the records after a cursor.
 *
 * @param found - `next`: the position of the last record, null at the end of the list
 */
export function cursorAnswer<Record>(
  found: { rows: readonly Record[]; next: readonly (string | number)[] | null },
  perPage: number,
): CursorPage<Record> {
  return { data: [...found.rows], per_page: perPage, next_cursor: found.next && encode(found.next) };
}

function encode(position: readonly (string | number)[]): string {
  return btoa(JSON.stringify(position)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined where it is not JSON in base64url. */
function decode(cursor: string): unknown {
  try {
    return JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}
