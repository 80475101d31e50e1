import { assistantTool, writtenTools, type AssistantToolRecord } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { draftOf, emptyTool, jsonFault, toTool, unchanged } from './tool-draft.rules.ts';
import { TOOL_KINDS, toolName, toolSummary, toolTypes, type ToolType } from './tool-kinds.rules.ts';

const headers = [{ name: 'Authorization', has_value: true }];
const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };

/** One of each kind, with everything it can have. */
const full: { [Type in ToolType]: Extract<AssistantToolRecord, { type: Type }> } = {
  end_call: { type: 'end_call', data: { description: 'When all is said.' } },
  dtmf_input: { type: 'dtmf_input', data: { description: 'In menus.' } },
  collect_keypad: {
    type: 'collect_keypad',
    data: {
      name: 'customer_number',
      description: 'First of all.',
      prompt: ' Please press your number. ',
      max_digits: 6,
      terminator: '*',
      timeout_seconds: 7,
      variable: 'customer',
    },
  },
  assistant_transfer: {
    type: 'assistant_transfer',
    data: { name: 'sales', description: 'Who wants to buy.', assistant_id: 4, message: 'One moment.' },
  },
  call_transfer: {
    type: 'call_transfer',
    data: {
      description: 'Callers who ask for a human.',
      destinations: [
        { name: 'Ada', phone_number: '+12025550101' },
        { name: 'Bo', phone_number: '+12025550102' },
      ],
      ring_timeout_seconds: 20,
    },
  },
  warm_call_transfer: {
    type: 'warm_call_transfer',
    data: {
      description: 'Callers with a large order.',
      destinations: [{ name: 'Ada', phone_number: '+12025550101' }],
      ring_timeout_seconds: 20,
      announcement: '{{summary}} Press 3 or say yes.',
      accept_key: '3',
      accept_words: ['yes', 'of course'],
      decline_words: ['no'],
      accept_timeout_seconds: 30,
      hold_sound: 'silence',
      unavailable_message: 'Ada is not available.',
    },
  },
  http_request: {
    type: 'http_request',
    data: {
      name: 'free_days',
      description: 'Before a day is promised.',
      url: 'https://example.com/{{shop}}',
      method: 'GET',
      headers,
      parameters,
      timeout_seconds: 3,
    },
  },
  mcp: {
    type: 'mcp',
    data: { name: 'shop', url: 'https://example.com/mcp', headers, allowed_tools: ['find', 'order'] },
  },
};

/** The input as parsed by the server. */
function understood(tool: unknown): Record<string, unknown> | undefined {
  return writtenTools.parse([tool])[0];
}

/** A tool as the server returns it: headers without their values. */
function asWritten({ type, data }: AssistantToolRecord): Record<string, unknown> {
  const kept = 'headers' in data ? { headers: data.headers.map(({ name }) => ({ name })) } : {};
  return { type, ...data, ...kept };
}

describe.each(toolTypes)('a tool of the kind %s', (type) => {
  const record = full[type];

  it('has a field for every returned value', () => {
    expect(assistantTool.safeParse(record).success).toBe(true);
    const names = TOOL_KINDS[type].fields.map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(record.data).toSorted());
  });

  it('that was not edited is sent back unchanged', () => {
    expect(understood(toTool(type, draftOf(record)))).toEqual(asWritten(record));
    expect(understood(unchanged(record))).toEqual(asWritten(record));
  });
});

describe('a new tool', () => {
  it('has the defaults of the server if its form is unchanged', () => {
    for (const type of ['end_call', 'dtmf_input', 'collect_keypad'] as const)
      expect(understood(toTool(type, emptyTool(type)))).toEqual(understood({ type }));
  });

  it('is refused at its required fields', () => {
    const faultsOf = (type: ToolType): string[] => {
      const { error } = writtenTools.safeParse([toTool(type, emptyTool(type))]);
      const fields = error?.issues.map(({ path }) => path.slice(1).join('.'));
      return [...new Set(fields)].toSorted();
    };
    expect(faultsOf('http_request')).toEqual(['description', 'name', 'url']);
    expect(faultsOf('call_transfer')).toEqual(['destinations.0.name', 'destinations.0.phone_number']);
    expect(faultsOf('assistant_transfer')).toEqual(['assistant_id', 'description']);
    expect(faultsOf('mcp')).toEqual(['allowed_tools', 'name', 'url']);
  });
});

describe('the headers of a tool', () => {
  const draft = draftOf(full.http_request);

  it('are sent with an entered value, and without a stored one', () => {
    const rows = [
      { name: 'Authorization', value: '', is_kept: 'yes' },
      { name: 'X-Shop', value: ' 7' },
    ];
    expect(toTool('http_request', { ...draft, headers: rows })).toMatchObject({
      headers: [{ name: 'Authorization' }, { name: 'X-Shop', value: ' 7' }],
    });
  });
});

it('invalid JSON is reported before it is sent', () => {
  expect(jsonFault('{"type": ')).toMatch(/^This is not valid JSON: /);
  expect(jsonFault('{}')).toBeNull();
  expect(jsonFault(' ')).toBeNull();
});

it.each([
  ['http_request', 'free_days', 'GET https://example.com/{{shop}}'],
  ['call_transfer', null, 'Ada (+12025550101), Bo (+12025550102)'],
  ['mcp', 'shop', 'find, order from https://example.com/mcp'],
  ['end_call', null, 'When all is said.'],
] as const)('a tool of the kind %s is listed with its name and its summary', (type, name, summary) => {
  expect([toolName(full[type]), toolSummary(full[type])]).toEqual([name, summary]);
});
