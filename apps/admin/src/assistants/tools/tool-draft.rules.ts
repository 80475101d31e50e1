/**
 * The draft of the tool form and its conversion to the input of the API. Unedited values are sent back unchanged: a header
 * without a value keeps the stored value.
 */
import type { AppRouter } from '@parley/api/router';
import type { AssistantToolRecord } from '@parley/contracts';
import type { inferRouterInputs } from '@trpc/server';
import { TOOL_KINDS, type ToolField, type ToolType } from './tool-kinds.rules.ts';
import { texts } from './texts.ts';

/** A tool in the input of the API. */
export type ToolInput = inferRouterInputs<AppRouter>['assistants']['setTools']['tools'][number];

/** A row of a field with rows: a header, or a transfer destination. */
export type ToolRow = Record<string, string>;

/** The values of the fields, as text, and rows of such values. */
export type ToolDraft = Record<string, string | ToolRow[]>;

/** Marks a header whose value the server stores. Never sent. */
export const IS_KEPT = 'is_kept';

/** An empty header or destination. */
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

/** A required list begins with an empty row. */
function firstRows({ kind, isNeeded }: ToolField): ToolRow[] {
  return isNeeded ? [emptyRow(kind)] : [];
}

/** The draft of an existing tool. */
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
 * The input of a draft. Empty fields are omitted, so that the server uses its default or reports them as missing.
 *
 * @throws SyntaxError for an invalid `json` field; see {@link jsonFault}
 */
export function toTool(type: ToolType, draft: ToolDraft): ToolInput {
  const sent = TOOL_KINDS[type].fields.flatMap((field) => {
    const value = meant(field, draft[field.name] ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  // The table of kinds lists the fields of a type; a test compares it with the contract.
  return { type, ...Object.fromEntries(sent) } as ToolInput;
}

function meant({ kind, isNeeded }: ToolField, value: string | ToolRow[]): unknown {
  if (typeof value !== 'string') return value.map(rowMeant);
  const text = kind === 'text' ? value : value.trim();
  if (kind === 'lines') return linesOf(text);
  if (text === '') return isNeeded ? '' : undefined;
  return kind === 'json' ? (JSON.parse(text) as unknown) : text;
}

/** An empty value is omitted, so that the stored one is kept. */
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

/** @returns the fault of a JSON text; null for valid or empty text */
export function jsonFault(text: string): string | null {
  try {
    if (text.trim() !== '') JSON.parse(text);
    return null;
  } catch (error) {
    return texts.form.notJson((error as Error).message);
  }
}

/** The input that leaves an existing tool unchanged. */
export function unchanged({ type, data }: AssistantToolRecord): ToolInput {
  return { type, ...data } as ToolInput;
}
