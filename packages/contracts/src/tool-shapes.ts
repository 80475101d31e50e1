/**
 * The fields of each kind of tool in requests. See docs/api.md, "Assistants"; what the specification leaves
 * open is settled in docs/decisions/tools-of-assistants.md.
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
import { telephoneKeys } from './form-choices.ts';

/** How a tool may ask. */
export const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Which key says "that was all". */
export const terminatorKeys = ['#', '*', 'none'] as const;

/** What a caller hears while another person is asked. */
export const holdSounds = ['music', 'silence'] as const;

/** The maximum length of the description of a tool, in characters. */
export const MAX_DESCRIPTION = 500;
const MAX_SAID = 500;
/** Assistants with a knowledge base have a tool of this name. */
const KNOWLEDGE_TOOL = 'search_knowledge_base';
const MAX_HEADERS = 16;
const MAX_HEADER_NAME = 100;
const MAX_HEADER_VALUE = 4096;
const MAX_ADDRESS = 2048;
const MAX_SCHEMA_CHARACTERS = 16_384;
/** An `http_request` is left after 10 s. */
const MAX_TIMEOUT_SECONDS = 10;
const MAX_KEYS = 32;
const MAX_KEY_SECONDS = 60;
const MAX_VARIABLE_NAME = 64;
const MAX_DESTINATIONS = 20;
const MAX_DESTINATION_NAME = 100;
/** Leaves room for the names of its tools. */
const MAX_SERVER_NAME = 24;
const MAX_SERVER_TOOL_NAME = 128;
const MAX_SERVER_TOOLS = 32;
const MAX_ANSWER_WORDS = 10;
const MAX_ANSWER_WORD = 30;
const MIN_ACCEPT_SECONDS = 10;
const MAX_ACCEPT_SECONDS = 120;
const MIN_RING_SECONDS = 5;
const MAX_RING_SECONDS = 60;

const hasNoIssueYet = ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0;

/** A variable in the host would let a lead's data select the server that receives the headers. */
function hasFixedHost(address: string): boolean {
  return !/^https?:\/\/[^/?#]*\{\{/i.test(address);
}

/** What models call; the underscore twice is kept for names that are put together. */
const toolNameOf = (maximum: number) =>
  requiredText({ maximum }).regex(/^[A-Za-z](?:_?[A-Za-z0-9])*$/, { error: wording.format });
/** The name of a tool that belongs to no server. */
export const toolName = toolNameOf(48).refine((value) => value !== KNOWLEDGE_TOOL, {
  error: wording.selected,
});

/** An address that may contain variables, but not in its host. */
export const toolAddress = requiredText({ maximum: MAX_ADDRESS })
  .pipe(webAddress())
  .refine(hasFixedHost, { error: wording.url, when: hasNoIssueYet });

/** It is connected before the call's variables are known, so it may contain none. */
const fixedAddress = requiredText({ maximum: MAX_ADDRESS })
  .pipe(webAddress())
  .refine((address) => !address.includes('{{'), { error: wording.url, when: hasNoIssueYet });

const writtenHeader = shape({
  name: requiredText({ maximum: MAX_HEADER_NAME }).regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, {
    error: wording.format,
  }),
  /** Absent: the stored one is kept. */
  value: headerText({ maximum: MAX_HEADER_VALUE }).optional(),
});

/** The headers of a tool; see {@link writtenHeader}. */
export const headerList = list(writtenHeader, { maximum: MAX_HEADERS });
const writtenHeaders = headerList.default([]);

/** Only the outermost level is judged: what lies deeper binds when arguments are checked. */
function isFormSchema(schema: Record<string, unknown>): boolean {
  const { type, properties } = schema;
  const isForm = type === 'object' && (properties === undefined || isPlainObject(properties));
  return isForm && JSON.stringify(schema).length <= MAX_SCHEMA_CHARACTERS;
}

const schemaOfArguments = jsonObject.refine(isFormSchema, { error: wording.format, when: hasNoIssueYet });

/** The name of a variable or an argument. */
export const variableName = requiredText({ maximum: MAX_VARIABLE_NAME }).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: wording.format,
});

const destination = shape({
  name: requiredText({ maximum: MAX_DESTINATION_NAME }),
  phone_number: requiredText({ maximum: 32 }),
});

/** What a person may say to a question: words, without punctuation that would have another meaning where they are expected. */
const answerWords = list(
  requiredText({ maximum: MAX_ANSWER_WORD }).regex(/^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u, {
    error: wording.format,
  }),
  { maximum: MAX_ANSWER_WORDS },
).default([]);

const destinations = list(destination, { minimum: 1, maximum: MAX_DESTINATIONS });
const ringTimeout = integer({ minimum: MIN_RING_SECONDS, maximum: MAX_RING_SECONDS }).default(30);

/** When the model should end the call, as the owner describes it; also accepted as `end_call_tool.description`. */
export const endCallDescription = text({ maximum: MAX_DESCRIPTION });

const description = text({ maximum: MAX_DESCRIPTION }).optional();

/** Every kind that acts. */
export const writtenByType = [
  shape({ type: z.literal('end_call'), description: endCallDescription.optional() }),
  shape({ type: z.literal('dtmf_input'), description }),
  shape({
    type: z.literal('collect_keypad'),
    name: toolName.default('collect_keypad'),
    description,
    prompt: text({ maximum: MAX_SAID }).optional(),
    max_digits: integer({ minimum: 1, maximum: MAX_KEYS }).default(MAX_KEYS),
    terminator: choice(terminatorKeys).default('#'),
    timeout_seconds: integer({ minimum: 1, maximum: MAX_KEY_SECONDS }).default(10),
    variable: variableName.optional(),
  }),
  shape({
    type: z.literal('assistant_transfer'),
    name: toolName.default('assistant_transfer'),
    description: requiredText({ maximum: MAX_DESCRIPTION }),
    assistant_id: integer(),
    message: text({ maximum: MAX_SAID }).optional(),
  }),
  shape({
    type: z.literal('call_transfer'),
    description,
    destinations,
    ring_timeout_seconds: ringTimeout,
  }),
  shape({
    type: z.literal('warm_call_transfer'),
    description,
    destinations,
    ring_timeout_seconds: ringTimeout,
    announcement: requiredText({ maximum: MAX_SAID }),
    accept_key: choice(telephoneKeys).default('1'),
    accept_words: answerWords,
    decline_words: answerWords,
    accept_timeout_seconds: integer({ minimum: MIN_ACCEPT_SECONDS, maximum: MAX_ACCEPT_SECONDS }).default(45),
    hold_sound: choice(holdSounds).default('music'),
    unavailable_message: text({ maximum: MAX_SAID }).optional(),
  }),
  shape({
    type: z.literal('http_request'),
    name: toolName,
    description: requiredText({ maximum: MAX_DESCRIPTION }),
    url: toolAddress,
    method: choice(toolMethods).default('POST'),
    headers: writtenHeaders,
    parameters: schemaOfArguments.default({ type: 'object', properties: {} }),
    timeout_seconds: integer({ minimum: 1, maximum: MAX_TIMEOUT_SECONDS }).default(MAX_TIMEOUT_SECONDS),
  }),
  shape({
    type: z.literal('mcp'),
    name: toolNameOf(MAX_SERVER_NAME),
    url: fixedAddress,
    headers: writtenHeaders,
    allowed_tools: list(requiredText({ maximum: MAX_SERVER_TOOL_NAME }), {
      minimum: 1,
      maximum: MAX_SERVER_TOOLS,
    }),
  }),
] as const;
