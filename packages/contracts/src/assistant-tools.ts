/**
 * Tools of an assistant: read as `{ type, data }`, written flat as `{ type, …data }`. See docs/api.md, "Assistants".
 * Every type has a shape in `tool-shapes.ts`; any other type is refused.
 */
import { z } from 'zod';
import { isPlainObject } from './coercion.ts';
import { wording } from './field-wording.ts';
import { jsonObject, list } from './fields.ts';
import { holdSounds, terminatorKeys, toolMethods, writtenByType } from './tool-shapes.ts';
import { telephoneKeys } from './form-choices.ts';

const MAX_TOOLS = 32;

const described = z.strictObject({ description: z.string().optional() });
const readDestinations = z.array(z.strictObject({ name: z.string(), phone_number: z.string() }));
/** The headers of a tool in answers. */
export const readHeaders = z.array(z.strictObject({ name: z.string(), has_value: z.boolean() }));

/** A tool in answers. Values of headers are never returned. */
export const assistantTool = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('end_call'), data: described }),
    z.strictObject({ type: z.literal('dtmf_input'), data: described }),
    z.strictObject({
      type: z.literal('collect_keypad'),
      data: z.strictObject({
        name: z.string(),
        description: z.string().optional(),
        prompt: z.string().optional(),
        max_digits: z.int(),
        terminator: z.enum(terminatorKeys),
        timeout_seconds: z.int(),
        variable: z.string().optional(),
      }),
    }),
    z.strictObject({
      type: z.literal('assistant_transfer'),
      data: z.strictObject({
        name: z.string(),
        description: z.string(),
        assistant_id: z.int(),
        message: z.string().optional(),
      }),
    }),
    z.strictObject({
      type: z.literal('call_transfer'),
      data: z.strictObject({
        description: z.string().optional(),
        destinations: readDestinations,
        ring_timeout_seconds: z.int(),
      }),
    }),
    z.strictObject({
      type: z.literal('warm_call_transfer'),
      data: z.strictObject({
        description: z.string().optional(),
        destinations: readDestinations,
        ring_timeout_seconds: z.int(),
        announcement: z.string(),
        accept_key: z.enum(telephoneKeys),
        accept_words: z.array(z.string()),
        decline_words: z.array(z.string()),
        accept_timeout_seconds: z.int(),
        hold_sound: z.enum(holdSounds),
        unavailable_message: z.string().optional(),
      }),
    }),
    z.strictObject({
      type: z.literal('http_request'),
      data: z.strictObject({
        name: z.string(),
        description: z.string(),
        url: z.string(),
        method: z.enum(toolMethods),
        headers: readHeaders,
        parameters: jsonObject,
        timeout_seconds: z.int(),
      }),
    }),
    z.strictObject({
      type: z.literal('mcp'),
      data: z.strictObject({
        name: z.string(),
        url: z.string(),
        headers: readHeaders,
        allowed_tools: z.array(z.string()),
      }),
    }),
  ])
  .meta({ id: 'AssistantTool' });

/** A tool as clients read it. */
export type AssistantToolRecord = z.output<typeof assistantTool>;

/** A record that was read may be written back unchanged. */
function flatten(tool: unknown): unknown {
  return isPlainObject(tool) && isPlainObject(tool['data']) ? { ...tool['data'], type: tool['type'] } : tool;
}

function unionFault({ input }: { input?: unknown }): string {
  if (!isPlainObject(input)) return input === undefined || input === null ? wording.required : wording.array;
  return input['type'] === undefined || input['type'] === '' ? wording.required : wording.selected;
}

const flatTool = z.discriminatedUnion('type', writtenByType, { error: unionFault });

/** One tool as it is written. */
export const writtenTool = z.preprocess<unknown, typeof flatTool, z.input<typeof flatTool>>(
  flatten,
  flatTool,
);

/** A tool as it was written, understood. */
export type WrittenTool = z.output<typeof flatTool>;

/** What the model calls it; which of two of one name should act? */
function nameOf(tool: WrittenTool): string {
  return 'name' in tool ? tool.name : tool.type;
}

/** The name of a type is reserved for tools of that type. */
function isReserved(tool: WrittenTool): boolean {
  const name = nameOf(tool);
  return name !== tool.type && writtenByType.some(({ shape: { type } }) => type.value === name);
}

function refuseSecond(tools: readonly WrittenTool[], context: z.core.$RefinementCtx): void {
  for (const [index, tool] of tools.entries()) {
    const isFirst = tools.findIndex((other) => nameOf(other) === nameOf(tool)) === index;
    if (isFirst && !isReserved(tool)) continue;
    const isNamed = 'name' in tool;
    const message = isNamed && !isReserved(tool) ? wording.distinct : wording.selected;
    context.addIssue({ code: 'custom', path: [index, isNamed ? 'name' : 'type'], message });
  }
}

/** Which of two destinations of one name should ring? */
function refuseSameDestination(tools: readonly WrittenTool[], context: z.core.$RefinementCtx): void {
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'call_transfer' && tool.type !== 'warm_call_transfer') continue;
    const names = tool.destinations.map(({ name }) => name);
    for (const [place, name] of names.entries()) {
      if (names.indexOf(name) === place) continue;
      const path = [index, 'destinations', place, 'name'];
      context.addIssue({ code: 'custom', path, message: wording.distinct });
    }
  }
}

/** Words compare without case. Does one that is in both lists, or twice in one, accept or decline? */
function refuseSameAnswer(tools: readonly WrittenTool[], context: z.core.$RefinementCtx): void {
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'warm_call_transfer') continue;
    const answers = (['accept_words', 'decline_words'] as const).flatMap((field) =>
      tool[field].map((word, place) => ({ word: word.toLowerCase(), path: [index, field, place] })),
    );
    for (const [place, { word, path }] of answers.entries()) {
      if (answers.findIndex((other) => other.word === word) === place) continue;
      context.addIssue({ code: 'custom', path, message: wording.distinct });
    }
  }
}

/** A trial of a tool, for the admin app. */
export interface ToolTrialResult {
  method: string;
  url: string;
  /** The names of the headers that were sent; values may be secret. */
  header_names: string[];
  /** Null for methods without a body. */
  body: string | null;
  /** HTTP status; null where there was no answer. */
  status: number | null;
  response_body: string | null;
  /** Why there was no answer. */
  error: string | null;
  duration_ms: number;
}

/** The field `tools` as it is written. */
export const writtenTools = list(writtenTool, { maximum: MAX_TOOLS })
  .superRefine(refuseSecond)
  .superRefine(refuseSameDestination)
  .superRefine(refuseSameAnswer);
