/**
 * Every kind of tool that an assistant can have, in plain words, with the fields of its form. The names of fields are the
 * wire's; the server knows their bounds and says so at the field.
 */
import type { AssistantToolRecord } from '@parley/contracts';

/** What decides which fields a tool has. */
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
  /** Of a new tool; otherwise empty. */
  initial?: string;
  choices?: readonly { value: string; label: string }[];
}

interface ToolKind {
  label: string;
  /** What it lets the assistant do. */
  does: string;
  fields: readonly ToolField[];
}

const NAME: ToolField = {
  name: 'name',
  label: 'Name',
  kind: 'line',
  hint: 'What the model calls it: letters, digits and single underscores.',
  isNeeded: true,
};
const DESCRIPTION: ToolField = {
  name: 'description',
  label: 'Description',
  kind: 'text',
  hint: 'When to use it, in your own words. The model reads this.',
};
const HEADERS: ToolField = {
  name: 'headers',
  label: 'Headers',
  kind: 'headers',
  hint: 'Values are kept sealed and never shown again. Empty: the one that is kept stays.',
};

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));
const TERMINATORS = [
  { value: '#', label: '#' },
  { value: '*', label: '*' },
  { value: 'none', label: 'None: only the number of keys or a pause' },
];

/** In the order in which they are offered. */
export const TOOL_KINDS: Record<ToolType, ToolKind> = {
  http_request: {
    label: 'Ask a server',
    does: 'Sends what the model knows to an address of yours, and tells the model what came back.',
    fields: [
      { ...NAME, initial: '' },
      { ...DESCRIPTION, isNeeded: true },
      {
        name: 'url',
        label: 'Address',
        kind: 'line',
        hint: 'May hold variables of the call: https://example.com/orders/{{order}}. Not in the host.',
        isNeeded: true,
      },
      { name: 'method', label: 'Method', kind: 'choice', choices: METHODS, initial: 'POST' },
      HEADERS,
      {
        name: 'parameters',
        label: 'What the model fills in',
        kind: 'json',
        hint: 'A JSON schema of the type object.',
        initial: '{\n  "type": "object",\n  "properties": {}\n}',
      },
      { name: 'timeout_seconds', label: 'Waits at most, seconds', kind: 'number', initial: '10' },
    ],
  },
  call_transfer: {
    label: 'Put the caller through',
    does: 'Has the carrier ring one of these people, and leaves the call. It never rings any other number.',
    fields: [
      DESCRIPTION,
      {
        name: 'destinations',
        label: 'To whom',
        kind: 'destinations',
        hint: 'The model chooses by the name.',
        isNeeded: true,
      },
      { name: 'ring_timeout_seconds', label: 'Rings at most, seconds', kind: 'number', initial: '30' },
    ],
  },
  assistant_transfer: {
    label: 'Hand over to another assistant',
    does: 'Goes on in the same call with another assistant of yours.',
    fields: [
      { ...NAME, initial: 'assistant_transfer' },
      { ...DESCRIPTION, isNeeded: true },
      { name: 'assistant_id', label: 'Assistant', kind: 'assistant', isNeeded: true },
      { name: 'message', label: 'Says before', kind: 'text', hint: 'Empty: hands over without a word.' },
    ],
  },
  collect_keypad: {
    label: 'Take keys from the caller',
    does: 'Asks for a number on the keypad, such as a customer number, and waits for it.',
    fields: [
      { ...NAME, initial: 'collect_keypad' },
      DESCRIPTION,
      { name: 'prompt', label: 'Asks', kind: 'text', hint: 'Empty: the model asks in its own words.' },
      { name: 'max_digits', label: 'Keys at most', kind: 'number', initial: '32' },
      { name: 'terminator', label: 'Ends with', kind: 'choice', choices: TERMINATORS, initial: '#' },
      { name: 'timeout_seconds', label: 'Waits for a key, seconds', kind: 'number', initial: '10' },
      {
        name: 'variable',
        label: 'Keeps them as',
        kind: 'line',
        hint: 'A variable of the call, for addresses of other tools. Empty: only the model learns them.',
      },
    ],
  },
  dtmf_input: {
    label: 'Press keys',
    does: 'Presses keys on the line, to get through the menu of somebody else’s machine.',
    fields: [DESCRIPTION],
  },
  mcp: {
    label: 'Use an MCP server',
    does: 'Gives the model tools that a server of yours offers by the Model Context Protocol.',
    fields: [
      { ...NAME, hint: 'Stands before the names of its tools: letters, digits and single underscores.' },
      { name: 'url', label: 'Address', kind: 'line', hint: 'Without variables.', isNeeded: true },
      HEADERS,
      {
        name: 'allowed_tools',
        label: 'Its tools that may be used',
        kind: 'lines',
        hint: 'One a line, as the server calls them. No others are given to the model.',
        isNeeded: true,
      },
    ],
  },
  end_call: {
    label: 'End the call',
    does: 'Every assistant can hang up. This says when it should.',
    fields: [DESCRIPTION],
  },
};

/** Of all kinds, in the order in which they are offered. */
export const toolTypes = Object.keys(TOOL_KINDS) as ToolType[];

/** What a tool does, in one line of a list. */
export function toolSummary(tool: AssistantToolRecord): string {
  switch (tool.type) {
    case 'http_request':
      return `${tool.data.method} ${tool.data.url}`;
    case 'call_transfer':
      return tool.data.destinations.map(({ name, phone_number: number }) => `${name} (${number})`).join(', ');
    case 'mcp':
      return `${tool.data.allowed_tools.join(', ')} of ${tool.data.url}`;
    case 'assistant_transfer':
    case 'collect_keypad':
    case 'dtmf_input':
    case 'end_call':
      return tool.data.description ?? '';
  }
}

/** The name that the model uses; null where the kind has only one. */
export function toolName(tool: AssistantToolRecord): string | null {
  return 'name' in tool.data ? tool.data.name : null;
}
