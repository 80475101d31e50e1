/**
 * Tools of an assistant: read as `{ type, data }`, written flat as `{ type, …data }`. See API-DECISIONS.md, "Assistants".
 * A type that does not act yet is refused, not ignored; each gets a shape of its own here when it acts.
 */
import { z } from 'zod';
import { isPlainObject } from './coercion.ts';
import { wording } from './field-wording.ts';
import {
  choice,
  headerText,
  integer,
  jsonObject,
  list,
  requiredText,
  shape,
  text,
  webAddress,
} from './fields.ts';

/** Tools the API names but nothing executes yet. */
export const plannedToolTypes = [
  'call_transfer',
  'warm_call_transfer',
  'assistant_transfer',
  'collect_keypad',
  'mcp',
] as const;

/** How a tool may ask. */
const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const MAX_TOOLS = 32;
const MAX_DESCRIPTION = 500;
const MAX_HEADERS = 16;
const MAX_HEADER_NAME = 100;
const MAX_HEADER_VALUE = 4096;
const MAX_ADDRESS = 2048;
const MAX_SCHEMA_CHARACTERS = 16_384;
/** A tool is left after 10 s, whatever it is. */
const MAX_TIMEOUT_SECONDS = 10;

/** When the model should end the call, in the owner's words; also written as `end_call_tool.description`. */
export const endCallDescription = text({ maximum: MAX_DESCRIPTION });

const isWellSoFar = ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0;

/** A variable in the host would let a lead's data choose who is asked, and with whose secrets. */
function hasFixedHost(address: string): boolean {
  return !/^https?:\/\/[^/?#]*\{\{/i.test(address);
}

/** What models call; the underscore twice is kept for names that are put together. */
const toolName = requiredText({ maximum: 48 }).regex(/^[A-Za-z](?:_?[A-Za-z0-9])*$/, {
  error: wording.format,
});

const toolAddress = requiredText({ maximum: MAX_ADDRESS })
  .pipe(webAddress())
  .refine(hasFixedHost, { error: wording.url, when: isWellSoFar });

const writtenHeader = shape({
  name: requiredText({ maximum: MAX_HEADER_NAME }).regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, {
    error: wording.format,
  }),
  /** Left out: the one that is kept stays. */
  value: headerText({ maximum: MAX_HEADER_VALUE }).optional(),
});

/** Only the outermost level is judged: what lies deeper binds when arguments are checked. */
function isFormSchema(schema: Record<string, unknown>): boolean {
  const { type, properties } = schema;
  const isForm = type === 'object' && (properties === undefined || isPlainObject(properties));
  return isForm && JSON.stringify(schema).length <= MAX_SCHEMA_CHARACTERS;
}

const schemaOfArguments = jsonObject.refine(isFormSchema, { error: wording.format, when: isWellSoFar });

const writtenByType = [
  shape({ type: z.literal('end_call'), description: endCallDescription.optional() }),
  shape({ type: z.literal('dtmf_input'), description: text({ maximum: MAX_DESCRIPTION }).optional() }),
  shape({
    type: z.literal('http_request'),
    name: toolName,
    description: requiredText({ maximum: MAX_DESCRIPTION }),
    url: toolAddress,
    method: choice(toolMethods).default('POST'),
    headers: list(writtenHeader)
      .max(MAX_HEADERS, { error: wording.atMostItems(MAX_HEADERS) })
      .default([]),
    parameters: schemaOfArguments.default({ type: 'object', properties: {} }),
    timeout_seconds: integer({ minimum: 1, maximum: MAX_TIMEOUT_SECONDS }).default(MAX_TIMEOUT_SECONDS),
  }),
] as const;

const described = z.strictObject({ description: z.string().optional() });

/** A tool as it is read. Values of headers are never given back. */
export const assistantTool = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('end_call'), data: described }),
    z.strictObject({ type: z.literal('dtmf_input'), data: described }),
    z.strictObject({
      type: z.literal('http_request'),
      data: z.strictObject({
        name: z.string(),
        description: z.string(),
        url: z.string(),
        method: z.enum(toolMethods),
        headers: z.array(z.strictObject({ name: z.string(), has_value: z.boolean() })),
        parameters: jsonObject,
        timeout_seconds: z.int(),
      }),
    }),
  ])
  .meta({ id: 'AssistantTool' });

/** A tool as clients read it. */
export type AssistantToolRecord = z.output<typeof assistantTool>;

/** What was read may be written back as it is. */
function flatten(tool: unknown): unknown {
  return isPlainObject(tool) && isPlainObject(tool['data']) ? { ...tool['data'], type: tool['type'] } : tool;
}

function unionFault({ input }: { input?: unknown }): string {
  if (!isPlainObject(input)) return input === undefined || input === null ? wording.required : wording.array;
  return input['type'] === undefined || input['type'] === '' ? wording.required : wording.selected;
}

const flatTool = z.discriminatedUnion('type', writtenByType, { error: unionFault });

const oneTool = z.preprocess<unknown, typeof flatTool, z.input<typeof flatTool>>(flatten, flatTool);

/** A tool as it was written, understood. */
export type WrittenTool = z.output<typeof flatTool>;

/** What the model calls it; which of two of one name should act? */
function nameOf(tool: WrittenTool): string {
  return 'name' in tool ? tool.name : tool.type;
}

function refuseSecond(tools: readonly WrittenTool[], context: z.core.$RefinementCtx): void {
  for (const [index, tool] of tools.entries()) {
    const isNamed = 'name' in tool;
    const isReserved = isNamed && writtenByType.some(({ shape: { type } }) => type.value === tool.name);
    const isFirst = tools.findIndex((other) => nameOf(other) === nameOf(tool)) === index;
    if (isFirst && !isReserved) continue;
    const message = isNamed && !isReserved ? wording.distinct : wording.selected;
    context.addIssue({ code: 'custom', path: [index, isNamed ? 'name' : 'type'], message });
  }
}

/** The field `tools` as it is written. */
export const writtenTools = list(oneTool)
  .max(MAX_TOOLS, { error: wording.atMostItems(MAX_TOOLS) })
  .superRefine(refuseSecond);
