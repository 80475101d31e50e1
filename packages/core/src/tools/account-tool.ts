/** Translates a tool of an account between the API and its stored form, which is that of an `http_request` of an assistant. */
import {
  isoMicroseconds,
  type AccountToolChanges,
  type AccountToolRecord,
  type NewAccountTool,
} from '@parley/contracts';
import type { AssistantTool, ToolRow } from '@parley/db';
import type { FieldMessages } from '../shared/domain-error.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { sealTool, toolRecord, type HttpTool } from './assistant-tools.ts';

/** Arguments as a JSON schema, which only this file writes. jsonb does not keep the order of properties; `required` does. */
interface ArgumentSchema {
  type: 'object';
  properties: Record<string, { type: AccountToolRecord['schema'][number]['type']; description: string }>;
  required: string[];
}

/** The record of a tool, without the values of its headers. */
export function accountToolRecord(row: ToolRow): AccountToolRecord {
  const record = toolRecord(row.tool);
  if (record.type !== 'http_request') throw new Error('A tool of an account is an HTTP request');
  const { name, description, url, method, headers, parameters, timeout_seconds: timeout } = record.data;
  const { properties, required } = parameters as unknown as ArgumentSchema;
  return {
    id: row.id,
    name,
    description,
    endpoint: url,
    method,
    timeout,
    headers,
    schema: required.flatMap((argument) => {
      const found = properties[argument];
      return found ? [{ name: argument, type: found.type, description: found.description }] : [];
    }),
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

/** A tool in its stored form, and the faults that were found. */
interface SealedTool {
  tool: AssistantTool;
  faults: FieldMessages;
}

/** The stored form of a new tool. */
export function newAccountTool(secretBox: SecretBox, given: NewAccountTool): SealedTool {
  return sealTool(secretBox, httpTool(given), null);
}

/**
 * The changed tool. A header without a value keeps the stored one, and headers that were not sent stay as they are, unless
 * the tool has another host now: then each needs its value.
 */
export function changedAccountTool(
  secretBox: SecretBox,
  row: ToolRow,
  changes: AccountToolChanges,
): SealedTool {
  const { headers: stored, ...rest } = accountToolRecord(row);
  const headers = changes.headers ?? stored.map(({ name }) => ({ name }));
  return sealTool(secretBox, httpTool({ ...rest, ...withoutUndefined(changes), headers }), row.tool);
}

function httpTool(given: NewAccountTool): HttpTool {
  const { name, description, endpoint: url, method, headers, timeout: timeout_seconds } = given;
  const parameters: ArgumentSchema = {
    type: 'object',
    properties: Object.fromEntries(
      given.schema.map(({ name: argument, type, description: about }) => [
        argument,
        { type, description: about },
      ]),
    ),
    required: given.schema.map((argument) => argument.name),
  };
  return {
    type: 'http_request',
    name,
    description,
    url,
    method,
    headers,
    parameters: { ...parameters },
    timeout_seconds,
  };
}

function withoutUndefined(changes: AccountToolChanges): Partial<NewAccountTool> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
