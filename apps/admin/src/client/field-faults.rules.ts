/**
 * Maps errors of nested fields (`tools.2.headers.0.value`) to the fields of a form that edits one part of the request.
 */
import type { RequestError } from './request-error.ts';
import { texts } from './texts.ts';

type Faults = RequestError['fields'];

/** The last segment of a path that is not a number, with spaces: `tools.2.max_digits` is "max digits". */
export function readableName(path: string): string {
  const names = path.split('.').filter((segment) => !/^\d+$/.test(segment));
  return (names.at(-1) ?? path).replaceAll('_', ' ');
}

/**
 * What remains of an error when the messages at the fields of a form are left out.
 *
 * @param shown - paths of the messages that are at fields; undefined: all of them
 * @returns null when nothing remains
 */
export function unseenMessage(
  { message, fields }: Pick<RequestError, 'message' | 'fields'>,
  shown?: readonly string[],
): string | null {
  const entries = Object.entries(fields);
  if (entries.length === 0) return message;
  const unseen = entries.filter(([name]) => shown !== undefined && !shown.includes(name));
  if (unseen.length === 0) return null;
  return unseen.map(([name, [first = '']]) => texts.field.named(readableName(name), first)).join(' ');
}

/** @param prefix - path of the part, such as `tools.2`; errors outside of it are omitted */
export function faultsBelow(faults: Faults, prefix: string): Faults {
  const inside = Object.entries(faults).filter(([path]) => path.startsWith(`${prefix}.`));
  return Object.fromEntries(inside.map(([path, messages]) => [path.slice(prefix.length + 1), messages]));
}

/** Maps errors of list entries to the field of the list, with the line of each entry. */
export function faultsOfLines(faults: Faults, list: string): Faults {
  const gathered: Faults = {};
  for (const [path, messages] of Object.entries(faults)) {
    const index = path.startsWith(`${list}.`) ? Number(path.split('.')[1]) : Number.NaN;
    const isEntry = Number.isInteger(index);
    const said = isEntry ? messages.map((message) => texts.lineFault(index + 1, message)) : messages;
    const key = isEntry ? list : path;
    gathered[key] = [...(gathered[key] ?? []), ...said];
  }
  return gathered;
}
