/** Reads the text of a suite: YAML (or JSON), checked; faults are named with their line and field. */
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { suiteFile, type SuiteFields } from './suite-fields.ts';
import { texts } from './suite-texts.ts';

/** UTF-8. */
export const MAX_SUITE_BYTES = 1024 * 1024;
/** Further faults are not named. */
const MAX_FAULTS = 20;

/** A suite, or what is wrong with its text: one sentence for each fault. */
export type ReadSuite = { suite: SuiteFields } | { faults: readonly string[] };

/** @returns the suite, or at most 20 faults */
export function readSuite(text: string): ReadSuite {
  if (Buffer.byteLength(text) > MAX_SUITE_BYTES) return fault(null, texts.file.tooLarge);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) return fault(broken.linePos?.[0].line ?? null, broken.message.split('\n')[0] ?? '');
  let value: unknown;
  try {
    // Aliases may be nested so often that the value would be endless.
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return fault(null, error instanceof Error ? error.message : '');
  }
  const parsed = suiteFile.safeParse(value, { error: wordingOf });
  if (parsed.success) return { suite: parsed.data };
  const faults = parsed.error.issues
    .slice(0, MAX_FAULTS)
    .map(({ path: place, message }) =>
      texts.file.line(lineOf(document, lines, place), place.map(String).join('.'), message),
    );
  return { faults };
}

function fault(line: number | null, message: string): ReadSuite {
  return { faults: [texts.file.line(line, '', message)] };
}

/** The line of a field, or of the group that lacks it. */
function lineOf(document: Document, lines: LineCounter, place: readonly PropertyKey[]): number | null {
  for (let length = place.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(place.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

const wordingOf: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? texts.field.required
        : texts.field.type(texts.types[issue.expected] ?? issue.expected);
    case 'unrecognized_keys':
      return texts.field.unknown(issue.keys);
    case 'invalid_value':
      return texts.field.choice(issue.values.map(String));
    case 'too_small':
      return texts.field.atLeast(sizeText(issue.origin, issue.minimum));
    case 'too_big':
      return texts.field.atMost(sizeText(issue.origin, issue.maximum));
    case 'custom':
      return undefined;
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.input === undefined ? texts.field.required : texts.field.other;
  }
};

const UNITS: Record<string, string> = { string: ' characters long', array: ' entries long' };

function sizeText(origin: string, size: number | bigint): string {
  return `${size}${UNITS[origin] ?? ''}`;
}
