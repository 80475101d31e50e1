/** Reads a suite file: YAML (or JSON), checked; faults are named with their line and field. */
import { readFileSync, statSync } from 'node:fs';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { CommandError, EXIT } from '../command-error.ts';
import { texts } from './evaluation-texts.ts';
import { suiteFile, type SuiteFields } from './suite-fields.ts';

const MAX_BYTES = 1024 * 1024;
/** Further faults are not printed. */
const MAX_FAULTS = 20;

/** @throws CommandError with exit code 2 */
export function readSuite(path: string, shown: string): SuiteFields {
  const lines = new LineCounter();
  const document = parseDocument(readText(path, shown), { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const line = broken.linePos?.[0].line ?? null;
    throw invalid(shown, [texts.file.line(line, '', broken.message.split('\n')[0] ?? '')]);
  }
  const parsed = suiteFile.safeParse(valueOf(document, shown), { error: wordingOf });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .slice(0, MAX_FAULTS)
    .map(({ path: place, message }) =>
      texts.file.line(lineOf(document, lines, place), pathText(place), message),
    );
  throw invalid(shown, faults);
}

/** Aliases may be nested so often that the value would be endless. */
function valueOf(document: Document, shown: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw invalid(shown, [texts.file.line(null, '', error instanceof Error ? error.message : '')]);
  }
}

function readText(path: string, shown: string): string {
  try {
    if (statSync(path).size <= MAX_BYTES) return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CommandError(texts.file.unreadable(shown), { exitCode: EXIT.usage, cause });
  }
  throw new CommandError(texts.file.tooLarge(shown), { exitCode: EXIT.usage });
}

function invalid(shown: string, faults: readonly string[]): CommandError {
  return new CommandError([texts.file.invalid(shown), ...faults].join('\n'), { exitCode: EXIT.usage });
}

/** The line of a field, or of the group that lacks it. */
function lineOf(document: Document, lines: LineCounter, place: readonly PropertyKey[]): number | null {
  for (let length = place.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(place.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

function pathText(place: readonly PropertyKey[]): string {
  return place.map(String).join('.');
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
