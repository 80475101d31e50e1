/**
 * The stored tools of an assistant: `{ type, data }` in the form of the API, with sealed header values. They are opened
 * only for the call that uses them.
 */
import { fieldFault, wording, type AssistantToolRecord, type WrittenTool } from '@parley/contracts';
import type { AssistantTool } from '@parley/db';
import type { FieldMessages } from '../shared/domain-error.ts';
import type { SecretBox } from '../shared/secret-box.ts';

/** A tool that sends one request. */
export type HttpTool = Extract<WrittenTool, { type: 'http_request' }>;
type McpTool = Extract<WrittenTool, { type: 'mcp' }>;
/** A tool that sends requests to a server, with headers that may be secret. */
type AskingTool = HttpTool | McpTool;
type SealedHeader = { name: string; valueSealed: string };
type Sealed<Tool extends AskingTool> = Omit<Tool, 'headers'> & { headers: SealedHeader[] };
/** The stored form, which only this file writes. */
type StoredTool = Exclude<WrittenTool, AskingTool> | Sealed<HttpTool> | Sealed<McpTool>;
type StoredAskingTool = Extract<StoredTool, { headers: SealedHeader[] }>;

/** A destination to which the assistant may transfer the caller. */
export interface TransferDestination {
  /** The name that the model uses. */
  name: string;
  /** E.164. */
  phoneNumber: string;
}

/** A tool in the form that a call uses. Holds secrets: never logged, never stored. */
export type CallTool =
  | { type: 'end_call'; description: string | null }
  | { type: 'dtmf_input'; description: string | null }
  /** Every assistant with a knowledge base that is not in its prompt has it. */
  | { type: 'search_knowledge_base'; knowledgebaseId: number; description: string; language: string }
  | {
      type: 'collect_keypad';
      name: string;
      description: string | null;
      prompt: string | null;
      maxDigits: number;
      terminator: '#' | '*' | null;
      timeoutSeconds: number;
      variable: string | null;
    }
  | {
      type: 'assistant_transfer';
      name: string;
      description: string;
      assistantId: number;
      message: string | null;
    }
  | {
      type: 'call_transfer';
      description: string | null;
      destinations: TransferDestination[];
      ringTimeoutSeconds: number;
    }
  | {
      type: 'warm_call_transfer';
      description: string | null;
      destinations: TransferDestination[];
      ringTimeoutSeconds: number;
      /** May contain `{{variables}}`, and `{{summary}}` for what the model says about the caller. */
      announcement: string;
      acceptKey: string;
      acceptWords: string[];
      declineWords: string[];
      /** From the person's answer. */
      acceptTimeoutSeconds: number;
      holdSound: 'music' | 'silence';
      /** Said to the caller; null leaves it to the model. */
      unavailableMessage: string | null;
    }
  | (Omit<HttpTool, 'headers' | 'timeout_seconds'> & {
      headers: { name: string; value: string }[];
      timeoutSeconds: number;
    })
  | {
      type: 'mcp';
      name: string;
      url: string;
      headers: { name: string; value: string }[];
      allowedTools: string[];
    };

/** The tools in their stored form, and the faults that were found. */
export interface SealedTools {
  tools: AssistantTool[];
  faults: FieldMessages;
}

/**
 * @param stored - the present tools: a header without a value keeps the stored value of the same tool and name, unless
 *    the tool has another host now. Otherwise a changed address could receive a stored secret.
 */
export function sealTools(
  secretBox: SecretBox,
  written: readonly WrittenTool[],
  stored: readonly AssistantTool[],
): SealedTools {
  const faults: FieldMessages = {};
  const tools = written.map((tool, index): AssistantTool => {
    const { type, ...data } = tool;
    if (!isAsking(tool)) return { type, data };
    const sealed = sealHeaders(secretBox, tool, { stored, path: `tools.${index}.headers` });
    Object.assign(faults, sealed.faults);
    return { type, data: { ...data, headers: sealed.headers } };
  });
  return { tools, faults };
}

/** Like {@link sealTools}, for one tool; `stored`: null for a new one. The faults are below `headers`. */
export function sealTool(
  secretBox: SecretBox,
  { type, ...data }: HttpTool,
  stored: AssistantTool | null,
): { tool: AssistantTool; faults: FieldMessages } {
  const before = stored === null ? [] : [{ type, data: { ...stored.data, name: data.name } }];
  const { headers, faults } = sealHeaders(secretBox, { type, ...data }, { stored: before, path: 'headers' });
  return { tool: { type, data: { ...data, headers } }, faults };
}

function sealHeaders(
  secretBox: SecretBox,
  tool: AskingTool,
  { stored, path }: { stored: readonly AssistantTool[]; path: string },
): { headers: SealedHeader[]; faults: FieldMessages } {
  const faults: FieldMessages = {};
  const kept = keptHeaders(tool, stored);
  const headers = tool.headers.flatMap(({ name, value }, place): SealedHeader[] => {
    const valueSealed = value === undefined ? kept.get(name.toLowerCase()) : secretBox.seal(value);
    if (valueSealed !== undefined) return [{ name, valueSealed }];
    Object.assign(faults, fieldFault(`${path}.${place}.value`, wording.required));
    return [];
  });
  return { headers, faults };
}

function keptHeaders({ type, name, url }: AskingTool, stored: readonly AssistantTool[]): Map<string, string> {
  const before = stored.map(asStored).filter(isAsking);
  const same = before.find(
    (other) => other.type === type && other.name === name && isSameHost(other.url, url),
  );
  return new Map(same?.headers.map((header) => [header.name.toLowerCase(), header.valueSealed]));
}

function isAsking(tool: WrittenTool): tool is AskingTool;
function isAsking(tool: StoredTool): tool is StoredAskingTool;
function isAsking({ type }: WrittenTool | StoredTool): boolean {
  return type === 'http_request' || type === 'mcp';
}

/** Only `sealTools` writes tools, and it stores what the contract has parsed. */
function asStored({ type, data }: AssistantTool): StoredTool {
  return { type, ...data } as StoredTool;
}

function isSameHost(one: string, other: string): boolean {
  return URL.parse(one)?.origin === URL.parse(other)?.origin;
}

/** What the language model calls the tool. */
export function nameOfTool({ type, data }: AssistantTool): string {
  const { name } = data;
  return typeof name === 'string' ? name : type;
}

/** The tool in the form of the API. */
export function toolRecord(tool: AssistantTool): AssistantToolRecord {
  const stored = asStored(tool);
  if (!isAsking(stored)) return tool as AssistantToolRecord;
  const headers = stored.headers.map(({ name }) => ({ name, has_value: true }));
  return { type: tool.type, data: { ...tool.data, headers } } as AssistantToolRecord;
}

/** @returns the tools with headers that the current key has sealed; null when it has sealed all of them already */
export function resealTools(secretBox: SecretBox, stored: readonly AssistantTool[]): AssistantTool[] | null {
  let isChanged = false;
  const resealed = ({ name, valueSealed }: SealedHeader): SealedHeader => {
    const changed = secretBox.reseal(valueSealed);
    isChanged ||= changed !== null;
    return { name, valueSealed: changed ?? valueSealed };
  };
  const tools = stored.map((tool): AssistantTool => {
    const known = asStored(tool);
    if (!isAsking(known)) return tool;
    return { type: tool.type, data: { ...tool.data, headers: known.headers.map(resealed) } };
  });
  return isChanged ? tools : null;
}

/** @throws Error when a value was sealed with another key */
export function openTools(secretBox: SecretBox, stored: readonly AssistantTool[]): CallTool[] {
  return stored.map((tool) => openTool(secretBox, asStored(tool)));
}

function openTool(secretBox: SecretBox, tool: StoredTool): CallTool {
  switch (tool.type) {
    case 'end_call':
    case 'dtmf_input':
      return { type: tool.type, description: tool.description ?? null };
    case 'collect_keypad': {
      const { type, name, description = null, prompt = null, variable = null } = tool;
      const terminator = tool.terminator === 'none' ? null : tool.terminator;
      const limits = { maxDigits: tool.max_digits, terminator, timeoutSeconds: tool.timeout_seconds };
      return { type, name, description, prompt, variable, ...limits };
    }
    case 'assistant_transfer': {
      const { type, name, description, assistant_id: assistantId, message = null } = tool;
      return { type, name, description, assistantId, message };
    }
    case 'call_transfer': {
      const { type, description = null, ring_timeout_seconds: ringTimeoutSeconds } = tool;
      return { type, description, destinations: destinationsOf(tool), ringTimeoutSeconds };
    }
    case 'warm_call_transfer':
      return {
        type: tool.type,
        description: tool.description ?? null,
        destinations: destinationsOf(tool),
        ringTimeoutSeconds: tool.ring_timeout_seconds,
        announcement: tool.announcement,
        acceptKey: tool.accept_key,
        acceptWords: tool.accept_words,
        declineWords: tool.decline_words,
        acceptTimeoutSeconds: tool.accept_timeout_seconds,
        holdSound: tool.hold_sound,
        unavailableMessage: tool.unavailable_message ?? null,
      };
    case 'http_request': {
      const { headers, timeout_seconds: timeoutSeconds, ...rest } = tool;
      return { ...rest, headers: openHeaders(secretBox, headers), timeoutSeconds };
    }
    case 'mcp': {
      const { type, name, url, headers, allowed_tools: allowedTools } = tool;
      return { type, name, url, headers: openHeaders(secretBox, headers), allowedTools };
    }
  }
}

function destinationsOf(tool: Extract<StoredTool, { destinations: unknown }>): TransferDestination[] {
  return tool.destinations.map(({ name, phone_number: phoneNumber }) => ({ name, phoneNumber }));
}

function openHeaders(
  secretBox: SecretBox,
  headers: readonly SealedHeader[],
): { name: string; value: string }[] {
  return headers.map(({ name, valueSealed }) => ({ name, value: secretBox.open(valueSealed) }));
}
