/**
 * Tools of an assistant: read as `{ type, data }`, written flat as `{ type, …data }`. See API-DECISIONS.md, "Assistants".
 * Only `end_call` acts today. The other types have names but nothing that runs them, so writing one is refused, not
 * ignored; each gets a shape of its own here when it acts.
 */
import { z } from 'zod';
import { isPlainObject } from './coercion.ts';
import { wording } from './field-wording.ts';
import { choice, jsonObject, list, shape, text } from './fields.ts';

/** Tools that act today. */
const builtToolTypes = ['end_call'] as const;

/** Tools the API names but nothing executes yet. */
export const plannedToolTypes = [
  'call_transfer',
  'warm_call_transfer',
  'assistant_transfer',
  'dtmf_input',
  'collect_keypad',
  'http_request',
  'mcp',
] as const;

const MAX_DESCRIPTION = 500;

/** When the model should end the call, in the owner's words; also written as `end_call_tool.description`. */
export const endCallDescription = text({ maximum: MAX_DESCRIPTION });

const endCallTool = z.strictObject({
  type: z.literal('end_call'),
  data: z.strictObject({ description: z.string().optional() }),
});

const plannedTool = z.strictObject({ type: z.enum(plannedToolTypes), data: jsonObject });

/** A tool as it is read. */
export const assistantTool = z
  .discriminatedUnion('type', [endCallTool, plannedTool])
  .meta({ id: 'AssistantTool' });

/** What was read may be written back as it is. */
function flatten(tool: unknown): unknown {
  return isPlainObject(tool) && isPlainObject(tool['data']) ? { ...tool['data'], type: tool['type'] } : tool;
}

const flatTool = shape({
  type: choice(builtToolTypes),
  description: endCallDescription.optional(),
});

const writtenTool = z.preprocess<unknown, typeof flatTool, z.input<typeof flatTool>>(flatten, flatTool);

type WrittenTool = z.output<typeof writtenTool>;

/** An assistant has a tool of each type at most: which of two should act? */
function refuseSecond(tools: readonly WrittenTool[], context: z.core.$RefinementCtx): void {
  for (const [index, tool] of tools.entries()) {
    if (tools.findIndex((other) => other.type === tool.type) === index) continue;
    context.addIssue({ code: 'custom', path: [index, 'type'], message: wording.selected });
  }
}

/** The field `tools` as it is written. */
export const writtenTools = list(writtenTool)
  .superRefine(refuseSecond)
  .meta({ maxItems: builtToolTypes.length });
