/**
 * Every kind of tool that an assistant can have, with the fields of its form. The names of the fields match the
 * API; the server validates the values.
 */
import { telephoneKeys, type AssistantToolRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** The types of tools, which determine the fields. */
export type ToolType = AssistantToolRecord['type'];

/**
 * How a field is filled in. `line` and `text` are texts of one line or more, `lines` a list with an entry a line, `json` a
 * JSON object; `headers` and `destinations` are rows of several fields, `assistant` another assistant of the user.
 */
type FieldKind =
  | 'line'
  | 'text'
  | 'number'
  | 'lines'
  | 'json'
  | 'choice'
  | 'headers'
  | 'destinations'
  | 'assistant';

/** One field of a tool's form. */
export interface ToolField {
  name: string;
  label: string;
  kind: FieldKind;
  hint?: string;
  /** The server refuses a tool without it. */
  isNeeded?: boolean;
  /** The value in the form of a new tool; absent: empty. */
  initial?: string;
  choices?: readonly { value: string; label: string }[];
}

interface ToolKind {
  label: string;
  /** A description of the tool for the user. */
  does: string;
  fields: readonly ToolField[];
}

const NAME: ToolField = {
  name: 'name',
  label: texts.fields.name.label,
  kind: 'line',
  hint: texts.fields.name.hint,
  isNeeded: true,
};
const DESCRIPTION: ToolField = {
  name: 'description',
  label: texts.fields.description.label,
  kind: 'text',
  hint: texts.fields.description.hint,
};
const HEADERS: ToolField = {
  name: 'headers',
  label: texts.fields.headers.label,
  kind: 'headers',
  hint: texts.fields.headers.hint,
};

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));
const TERMINATORS = [
  { value: '#', label: '#' },
  { value: '*', label: '*' },
  { value: 'none', label: texts.fields.terminator.none },
];

const KEYS = telephoneKeys.map((value) => ({ value, label: value }));
const HOLD_SOUNDS = [
  { value: 'music', label: texts.fields.holdSound.music },
  { value: 'silence', label: texts.fields.holdSound.silence },
];

/** In the order in which they are offered. */
export const TOOL_KINDS: Record<ToolType, ToolKind> = {
  http_request: {
    label: texts.kinds.httpRequest.label,
    does: texts.kinds.httpRequest.hint,
    fields: [
      { ...NAME, initial: '' },
      { ...DESCRIPTION, isNeeded: true },
      {
        name: 'url',
        label: texts.fields.url.label,
        kind: 'line',
        hint: texts.fields.url.hint,
        isNeeded: true,
      },
      { name: 'method', label: texts.fields.method, kind: 'choice', choices: METHODS, initial: 'POST' },
      HEADERS,
      {
        name: 'parameters',
        label: texts.fields.parameters.label,
        kind: 'json',
        hint: texts.fields.parameters.hint,
        initial: '{\n  "type": "object",\n  "properties": {}\n}',
      },
      { name: 'timeout_seconds', label: texts.fields.timeout, kind: 'number', initial: '10' },
    ],
  },
  call_transfer: {
    label: texts.kinds.callTransfer.label,
    does: texts.kinds.callTransfer.hint,
    fields: [
      DESCRIPTION,
      {
        name: 'destinations',
        label: texts.fields.destinations.label,
        kind: 'destinations',
        hint: texts.fields.destinations.hint,
        isNeeded: true,
      },
      { name: 'ring_timeout_seconds', label: texts.fields.ringTimeout, kind: 'number', initial: '30' },
    ],
  },
  warm_call_transfer: {
    label: texts.kinds.warmCallTransfer.label,
    does: texts.kinds.warmCallTransfer.hint,
    fields: [
      DESCRIPTION,
      {
        name: 'destinations',
        label: texts.fields.destinations.label,
        kind: 'destinations',
        hint: texts.fields.destinations.hint,
        isNeeded: true,
      },
      { name: 'ring_timeout_seconds', label: texts.fields.ringTimeout, kind: 'number', initial: '30' },
      {
        name: 'announcement',
        label: texts.fields.announcement.label,
        kind: 'text',
        hint: texts.fields.announcement.hint,
        isNeeded: true,
        initial: texts.fields.announcement.initial,
      },
      { name: 'accept_key', label: texts.fields.acceptKey, kind: 'choice', choices: KEYS, initial: '1' },
      {
        name: 'accept_words',
        label: texts.fields.acceptWords.label,
        kind: 'lines',
        hint: texts.fields.acceptWords.hint,
      },
      {
        name: 'decline_words',
        label: texts.fields.declineWords.label,
        kind: 'lines',
        hint: texts.fields.declineWords.hint,
      },
      {
        name: 'accept_timeout_seconds',
        label: texts.fields.acceptTimeout,
        kind: 'number',
        initial: '45',
      },
      {
        name: 'hold_sound',
        label: texts.fields.holdSound.label,
        kind: 'choice',
        choices: HOLD_SOUNDS,
        initial: 'music',
      },
      {
        name: 'unavailable_message',
        label: texts.fields.unavailable.label,
        kind: 'text',
        hint: texts.fields.unavailable.hint,
      },
    ],
  },
  assistant_transfer: {
    label: texts.kinds.assistantTransfer.label,
    does: texts.kinds.assistantTransfer.hint,
    fields: [
      { ...NAME, initial: 'assistant_transfer' },
      { ...DESCRIPTION, isNeeded: true },
      { name: 'assistant_id', label: texts.fields.assistant, kind: 'assistant', isNeeded: true },
      { name: 'message', label: texts.fields.message.label, kind: 'text', hint: texts.fields.message.hint },
    ],
  },
  collect_keypad: {
    label: texts.kinds.collectKeypad.label,
    does: texts.kinds.collectKeypad.hint,
    fields: [
      { ...NAME, initial: 'collect_keypad' },
      DESCRIPTION,
      { name: 'prompt', label: texts.fields.prompt.label, kind: 'text', hint: texts.fields.prompt.hint },
      { name: 'max_digits', label: texts.fields.maxDigits, kind: 'number', initial: '32' },
      {
        name: 'terminator',
        label: texts.fields.terminator.label,
        kind: 'choice',
        choices: TERMINATORS,
        initial: '#',
      },
      { name: 'timeout_seconds', label: texts.fields.keyTimeout, kind: 'number', initial: '10' },
      {
        name: 'variable',
        label: texts.fields.variable.label,
        kind: 'line',
        hint: texts.fields.variable.hint,
      },
    ],
  },
  dtmf_input: {
    label: texts.kinds.dtmfInput.label,
    does: texts.kinds.dtmfInput.hint,
    fields: [DESCRIPTION],
  },
  mcp: {
    label: texts.kinds.mcp.label,
    does: texts.kinds.mcp.hint,
    fields: [
      { ...NAME, hint: texts.fields.name.mcpHint },
      {
        name: 'url',
        label: texts.fields.url.label,
        kind: 'line',
        hint: texts.fields.url.mcpHint,
        isNeeded: true,
      },
      HEADERS,
      {
        name: 'allowed_tools',
        label: texts.fields.allowedTools.label,
        kind: 'lines',
        hint: texts.fields.allowedTools.hint,
        isNeeded: true,
      },
    ],
  },
  end_call: {
    label: texts.kinds.endCall.label,
    does: texts.kinds.endCall.hint,
    fields: [DESCRIPTION],
  },
};

/** The types of all kinds, in the order in which they are offered. */
export const toolTypes = Object.keys(TOOL_KINDS) as ToolType[];

/** A summary of a tool in one line. */
export function toolSummary(tool: AssistantToolRecord): string {
  switch (tool.type) {
    case 'http_request':
      return `${tool.data.method} ${tool.data.url}`;
    case 'call_transfer':
    case 'warm_call_transfer':
      return tool.data.destinations.map(({ name, phone_number: number }) => `${name} (${number})`).join(', ');
    case 'mcp':
      return texts.list.mcp(tool.data.allowed_tools.join(', '), tool.data.url);
    case 'assistant_transfer':
    case 'collect_keypad':
    case 'dtmf_input':
    case 'end_call':
      return tool.data.description ?? '';
  }
}

/** The name that the model uses; null if the kind has a fixed name. */
export function toolName(tool: AssistantToolRecord): string | null {
  return 'name' in tool.data ? tool.data.name : null;
}
