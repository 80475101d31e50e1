/**
 * Tools of an account: HTTP requests that its assistants may make during calls. An assistant uses those of its `tool_ids`
 * beside its own list `tools`. See docs/api.md, "Assistants".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { readHeaders } from './assistant-tools.ts';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { bodyErrors, singleErrors } from './errors.ts';
import { wording } from './field-wording.ts';
import { choice, idParameter, integer, list, requireDistinctNames, requiredText, shape } from './fields.ts';
import {
  headerList,
  MAX_DESCRIPTION,
  toolAddress,
  toolMethods,
  toolName,
  variableName,
  writtenByType,
} from './tool-shapes.ts';

const MAX_ARGUMENTS = 32;
const MAX_TIMEOUT_SECONDS = 30;

/** Types of the arguments that the language model gives. */
export const argumentTypes = ['string', 'number', 'boolean'] as const;

const record = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    endpoint: z.string(),
    method: z.enum(toolMethods),
    /** Seconds. */
    timeout: z.int(),
    headers: readHeaders,
    schema: z.array(
      z.strictObject({ name: z.string(), type: z.enum(argumentTypes), description: z.string() }),
    ),
    created_at: isoMicrosecondsField,
    updated_at: isoMicrosecondsField,
  })
  .meta({ id: 'Tool' });

/** The names of the built-in tools. */
const reservedNames = new Set<string>(writtenByType.map(({ shape: { type } }) => type.value));

const name = toolName.refine((value) => !reservedNames.has(value), { error: wording.selected });

const argument = shape({
  name: variableName,
  type: choice(argumentTypes),
  description: requiredText({ maximum: MAX_DESCRIPTION }),
});

/** Every argument is required. */
const schema = list(argument, { maximum: MAX_ARGUMENTS }).superRefine(requireDistinctNames);

const fields = {
  name,
  description: requiredText({ maximum: MAX_DESCRIPTION }),
  endpoint: toolAddress,
};
const timeout = integer({ minimum: 1, maximum: MAX_TIMEOUT_SECONDS });

const newToolBody = shape({
  ...fields,
  method: choice(toolMethods),
  timeout: timeout.default(10),
  headers: headerList.default([]),
  schema: schema.default([]),
}).meta({ id: 'NewTool' });

/** Omitted fields stay unchanged; `headers` and `schema` are replaced as a whole. */
const toolChangesBody = shape({
  name: fields.name.optional(),
  description: fields.description.optional(),
  endpoint: fields.endpoint.optional(),
  method: choice(toolMethods).optional(),
  timeout: timeout.optional(),
  headers: headerList.optional(),
  schema: schema.optional(),
}).meta({ id: 'ToolChanges' });

/** A tool of an account. Values of headers are never returned. */
export type AccountToolRecord = z.output<typeof record>;
/** The body that creates a tool. */
export type NewAccountTool = z.output<typeof newToolBody>;
/** What of a tool changes. */
export type AccountToolChanges = z.output<typeof toolChangesBody>;

const LIST_PATH = '/api/user/tools';
const ONE_PATH = '/api/user/tools/:id';
const notFoundMessage = 'Tool not found';
const writtenRecord = written(record).meta({ id: 'ToolWritten' });

/** The endpoints of tools. */
export const tools = c.router({
  list: {
    method: 'GET',
    path: LIST_PATH,
    summary: 'List the tools of your account',
    responses: { 200: z.array(record) },
    metadata: metadata({ scope: 'read' }),
  },
  create: {
    method: 'POST',
    path: LIST_PATH,
    summary: 'Create a tool: an HTTP request that assistants may make during calls',
    body: newToolBody,
    responses: { 201: writtenRecord, ...bodyErrors },
    metadata: metadata({ scope: 'write' }),
  },
  get: {
    method: 'GET',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Read a tool',
    responses: { 200: record, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage }),
  },
  update: {
    method: 'PUT',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Change a tool; calls in progress keep what they started with',
    body: toolChangesBody,
    responses: { 200: writtenRecord, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
  remove: {
    method: 'DELETE',
    path: ONE_PATH,
    pathParams: idParameter,
    summary: 'Delete a tool that no assistant uses',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage }),
  },
});
