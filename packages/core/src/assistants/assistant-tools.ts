/**
 * The tools of an assistant at rest: `{ type, data }` as clients read it, but with the values of headers sealed. They
 * are opened for the call that uses them, and for nobody else.
 */
import { fieldFault, wording, type AssistantToolRecord, type WrittenTool } from '@parley/contracts';
import type { AssistantTool } from '@parley/db';
import type { FieldMessages } from '../shared/domain-error.ts';
import type { SecretBox } from '../shared/secret-box.ts';

type HttpTool = Extract<WrittenTool, { type: 'http_request' }>;
type SealedHeader = { name: string; valueSealed: string };
/** What is written here, and nobody else writes. */
type StoredHttpData = Omit<HttpTool, 'type' | 'headers'> & { headers: SealedHeader[] };

/** A tool as a call uses it. Holds secrets: never logged, never stored. */
export type CallTool =
  | { type: 'end_call' | 'dtmf_input'; description: string | null }
  | (Omit<StoredHttpData, 'headers' | 'timeout_seconds'> & {
      type: 'http_request';
      headers: { name: string; value: string }[];
      timeoutSeconds: number;
    });

/** What was written, ready to be stored, and what is missing from it. */
export interface SealedTools {
  tools: AssistantTool[];
  faults: FieldMessages;
}

/**
 * @param stored - what the assistant has now: a header without a value keeps the one of the same tool and name, unless
 *   the tool now asks another host. A secret must not follow an address that somebody has changed.
 */
export function sealTools(
  secretBox: SecretBox,
  written: readonly WrittenTool[],
  stored: readonly AssistantTool[],
): SealedTools {
  const faults: FieldMessages = {};
  const tools = written.map((tool, index): AssistantTool => {
    const { type, ...data } = tool;
    if (tool.type !== 'http_request') return { type, data };
    const kept = keptHeaders(tool, stored);
    const headers = tool.headers.flatMap(({ name, value }, place): SealedHeader[] => {
      const valueSealed = value === undefined ? kept.get(name.toLowerCase()) : secretBox.seal(value);
      if (valueSealed !== undefined) return [{ name, valueSealed }];
      Object.assign(faults, fieldFault(`tools.${index}.headers.${place}.value`, wording.required));
      return [];
    });
    return { type, data: { ...data, headers } };
  });
  return { tools, faults };
}

function keptHeaders({ name, url }: HttpTool, stored: readonly AssistantTool[]): Map<string, string> {
  const before = stored.filter(({ type }) => type === 'http_request').map(storedHttp);
  const same = before.find((other) => other.name === name && isSameHost(other.url, url));
  return new Map(same?.headers.map((header) => [header.name.toLowerCase(), header.valueSealed]));
}

function isSameHost(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}

function storedHttp({ data }: AssistantTool): StoredHttpData {
  return data as StoredHttpData;
}

/** As clients read it. */
export function toolRecord(tool: AssistantTool): AssistantToolRecord {
  if (tool.type !== 'http_request') return tool as AssistantToolRecord;
  const data = storedHttp(tool);
  const headers = data.headers.map(({ name }) => ({ name, has_value: true }));
  return { type: tool.type, data: { ...data, headers } };
}

/** @throws Error when a value was sealed with another key */
export function openTools(secretBox: SecretBox, stored: readonly AssistantTool[]): CallTool[] {
  return stored.flatMap((tool): CallTool[] => {
    const { type, data } = tool;
    if (type === 'http_request') {
      const { headers, timeout_seconds: timeoutSeconds, ...rest } = storedHttp(tool);
      const opened = headers.map(({ name, valueSealed }) => ({ name, value: secretBox.open(valueSealed) }));
      return [{ ...rest, type, headers: opened, timeoutSeconds }];
    }
    if (type !== 'end_call' && type !== 'dtmf_input') return [];
    const { description } = data;
    return [{ type, description: typeof description === 'string' ? description : null }];
  });
}
