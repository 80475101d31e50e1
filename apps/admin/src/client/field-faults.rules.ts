/**
 * Brings the server's faults of nested fields (`tools.2.headers.0.value`) to the fields of a form that edits one part of
 * what was sent. The server names the whole path, also inside its sentences; the form shows the last word of it.
 */
import type { RequestError } from './request-error.ts';
import { texts } from './texts.ts';

type Faults = RequestError['fields'];

/** The last segment that is not a number, with spaces: `tools.2.max_digits` is "max digits". */
function readableName(path: string): string {
  const words = path.split('.').filter((segment) => !/^\d+$/.test(segment));
  return (words.at(-1) ?? path).replaceAll('_', ' ');
}

function withReadableName(path: string, messages: readonly string[]): string[] {
  return messages.map((message) => message.replaceAll(path, readableName(path)));
}

/** @param prefix - path of the part, such as `tools.2`; what lies outside of it is left out */
export function faultsBelow(faults: Faults, prefix: string): Faults {
  const inside = Object.entries(faults).filter(([path]) => path.startsWith(`${prefix}.`));
  return Object.fromEntries(
    inside.map(([path, messages]) => [path.slice(prefix.length + 1), withReadableName(path, messages)]),
  );
}

/** Brings faults of a list's entries to the one field that holds the list, a line for each entry. */
export function faultsOfLines(faults: Faults, list: string): Faults {
  const gathered: Faults = {};
  for (const [path, messages] of Object.entries(faults)) {
    const place = path.startsWith(`${list}.`) ? Number(path.split('.')[1]) : Number.NaN;
    const isEntry = Number.isInteger(place);
    const said = isEntry
      ? withReadableName(path, messages).map((message) => texts.lineFault(place + 1, message))
      : messages;
    const key = isEntry ? list : path;
    gathered[key] = [...(gathered[key] ?? []), ...said];
  }
  return gathered;
}
