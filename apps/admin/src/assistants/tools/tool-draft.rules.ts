/**
 * What the form of a tool holds, and how it becomes the API's input. What was read of a tool goes back as it was: a header
 * without a value keeps the one that the server has.
 */
import type { AppRouter } from '@parley/api/router';
import type { AssistantToolRecord } from '@parley/contracts';
import type { inferRouterInputs } from '@trpc/server';
import { TOOL_KINDS, type ToolField, type ToolType } from './tool-kinds.rules.ts';
import { texts } from './texts.ts';

/** A tool as it is sent. */
export type ToolInput = inferRouterInputs<AppRouter>['assistants']['setTools']['tools'][number];

/** A row of a field with rows: a header, or a transfer destination. */
export type ToolRow = Record<string, string>;

/** The values of the fields, as text, and rows of such values. */
export type ToolDraft = Record<string, string | ToolRow[]>;

/** Of the rows of headers: the server has a value for it. Never sent. */
export const IS_KEPT = 'is_kept';

/** A header, or a destination, that is still to be filled in. */
export function emptyRow(kind: ToolField['kind']): ToolRow {
  return kind === 'headers' ? { name: '', value: '' } : { name: '', phone_number: '' };
}

function isRows({ kind }: ToolField): boolean {
  return kind === 'headers' || kind === 'destinations';
}

/** The form of a new tool. */
export function emptyTool(type: ToolType): ToolDraft {
  const { fields } = TOOL_KINDS[type];
  return Object.fromEntries(
    fields.map((field) => [field.name, isRows(field) ? firstRows(field) : (field.initial ?? '')]),
  );
}

/** A list that may not be empty begins with a row to fill in. */
function firstRows({ kind, isNeeded }: ToolField): ToolRow[] {
  return isNeeded ? [emptyRow(kind)] : [];
}

/** The form for a tool that there is. */
export function draftOf(tool: AssistantToolRecord): ToolDraft {
  const data = tool.data as Record<string, unknown>;
  const { fields } = TOOL_KINDS[tool.type];
  return Object.fromEntries(fields.map((field) => [field.name, shown(field, data[field.name])]));
}

function shown({ kind }: ToolField, value: unknown): string | ToolRow[] {
  if (value === undefined) return '';
  switch (kind) {
    case 'headers':
      return (value as { name: string; has_value: boolean }[]).map(({ name, has_value: hasValue }) => ({
        name,
        value: '',
        ...(hasValue && { [IS_KEPT]: 'yes' }),
      }));
    case 'destinations':
      return (value as ToolRow[]).map((row) => ({ ...row }));
    case 'lines':
      return (value as string[]).join('\n');
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'line':
    case 'text':
    case 'number':
    case 'choice':
    case 'assistant':
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/**
 * What the form means. Fields that stand empty are left out, so that the server takes its default or says what it misses.
 *
 * @throws SyntaxError where a `json` field holds none; see {@link jsonFault}
 */
export function toTool(type: ToolType, draft: ToolDraft): ToolInput {
  const sent = TOOL_KINDS[type].fields.flatMap((field) => {
    const value = meant(field, draft[field.name] ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  // The table of kinds says which fields a type has; a test holds it against the contract.
  return { type, ...Object.fromEntries(sent) } as ToolInput;
}

function meant({ kind, isNeeded }: ToolField, value: string | ToolRow[]): unknown {
  if (typeof value !== 'string') return value.map(rowMeant);
  const text = kind === 'text' ? value : value.trim();
  if (kind === 'lines') return linesOf(text);
  if (text === '') return isNeeded ? '' : undefined;
  return kind === 'json' ? (JSON.parse(text) as unknown) : text;
}

/** An empty value is left out: the one that is kept stays. */
function rowMeant(row: ToolRow): ToolRow {
  const sent = Object.entries(row).filter(
    ([name, text]) => name !== IS_KEPT && (name !== 'value' || text !== ''),
  );
  return Object.fromEntries(sent);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** @returns what is wrong with a text that should be JSON; null: nothing, also where it is empty */
export function jsonFault(text: string): string | null {
  try {
    if (text.trim() !== '') JSON.parse(text);
    return null;
  } catch (error) {
    return texts.form.notJson((error as Error).message);
  }
}

/** A tool as it was read, ready to be sent back unchanged. */
export function unchanged({ type, data }: AssistantToolRecord): ToolInput {
  return { type, ...data } as ToolInput;
}
