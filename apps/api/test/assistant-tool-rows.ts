/** Sent tools with the expected stored values or faults: rows of the tables of `assistant-rules.test.ts`. */
const REQUIRED = (name: string) => `The ${name} field is required.`;
const BETWEEN = (name: string, low: number, high: number) =>
  `The ${name} must be between ${low} and ${high}.`;
const SELECTED = (name: string) => `The selected ${name} is invalid.`;
const URL_FAULT = (name: string) => `The ${name} must be a valid URL.`;
const FORMAT = (name: string) => `The ${name} format is invalid.`;
const LONG = (name: string, most: number) => `The ${name} must not be greater than ${most} characters.`;
/** A tool in the form of a request. */
const LOOK_UP = {
  type: 'http_request',
  name: 'look_up',
  description: 'Looks up opening hours.',
  url: 'https://hours.example/{{place}}',
};
const ANN = { name: 'Ann', phone_number: '+12025550123' };
const WARM = { type: 'warm_call_transfer', destinations: [ANN], announcement: 'Press 1.' };
const MCP = { type: 'mcp', name: 'town', url: 'https://mcp.example/', allowed_tools: ['get_weather'] };

/** Field, value as sent, field as read, value as read. */
export const takenTools: [string, unknown, string, unknown][] = [
  ['tools', [], 'tools', []],
  ['tools', [{ type: 'end_call' }], 'tools', [{ type: 'end_call', data: {} }]],
  [
    'tools',
    [{ type: 'collect_keypad' }],
    'tools',
    [
      {
        type: 'collect_keypad',
        data: { name: 'collect_keypad', max_digits: 32, terminator: '#', timeout_seconds: 10 },
      },
    ],
  ],
  [
    'tools',
    [{ type: 'call_transfer', destinations: [{ name: 'Ann', phone_number: '+1 202 555 0123' }] }],
    'tools',
    [{ type: 'call_transfer', data: { destinations: [ANN], ring_timeout_seconds: 30 } }],
  ],
  [
    'tools',
    [
      {
        type: 'warm_call_transfer',
        destinations: [{ name: 'Ann', phone_number: '+1 202 555 0123' }],
        announcement: '{{summary}} Press 1.',
      },
    ],
    'tools',
    [
      {
        type: 'warm_call_transfer',
        data: {
          destinations: [ANN],
          ring_timeout_seconds: 30,
          announcement: '{{summary}} Press 1.',
          accept_key: '1',
          accept_words: [],
          decline_words: [],
          accept_timeout_seconds: 45,
          hold_sound: 'music',
        },
      },
    ],
  ],
  [
    'tools',
    [{ ...MCP, headers: [{ name: 'A', value: 'b' }] }],
    'tools',
    [
      {
        type: 'mcp',
        data: {
          name: 'town',
          url: 'https://mcp.example/',
          headers: [{ name: 'A', has_value: true }],
          allowed_tools: ['get_weather'],
        },
      },
    ],
  ],
  [
    'tools',
    [{ type: 'end_call', description: 'Soon.' }],
    'tools',
    [{ type: 'end_call', data: { description: 'Soon.' } }],
  ],
  [
    'tools',
    [{ type: 'end_call', data: { description: 'As read.' } }],
    'tools',
    [{ type: 'end_call', data: { description: 'As read.' } }],
  ],
];

/** Field, value as sent, field of the fault, text. */
export const refusedTools: [string, unknown, string, string][] = [
  ['tools', [{ type: 'unheard_of' }], 'tools.0.type', SELECTED('tools.0.type')],
  ...(
    [
      [{ url: 'nowhere' }, 'url', URL_FAULT('tools.0.url')],
      [{ url: 'https://{{host}}.example/' }, 'url', URL_FAULT('tools.0.url')],
      [{ name: 'a b' }, 'name', FORMAT('tools.0.name')],
      [{ name: 'mcp__x' }, 'name', FORMAT('tools.0.name')],
      [{ name: 'end_call' }, 'name', SELECTED('tools.0.name')],
      [{ method: 'TRACE' }, 'method', SELECTED('tools.0.method')],
      [{ parameters: { type: 'string' } }, 'parameters', FORMAT('tools.0.parameters')],
      [{ timeout_seconds: 11 }, 'timeout_seconds', BETWEEN('tools.0.timeout_seconds', 1, 10)],
      [{ headers: [{ name: 'A:', value: 'x' }] }, 'headers.0.name', FORMAT('tools.0.headers.0.name')],
      [{ headers: [{ name: 'A' }] }, 'headers.0.value', REQUIRED('tools.0.headers.0.value')],
    ] as const
  ).map(([wrong, field, text]): [string, unknown, string, string] => [
    'tools',
    [{ ...LOOK_UP, ...wrong }],
    `tools.0.${field}`,
    text,
  ]),
  ...(
    [
      [{ type: 'collect_keypad', max_digits: 0 }, 'max_digits', BETWEEN('tools.0.max_digits', 1, 32)],
      [{ type: 'collect_keypad', terminator: '5' }, 'terminator', SELECTED('tools.0.terminator')],
      [
        { type: 'collect_keypad', timeout_seconds: 61 },
        'timeout_seconds',
        BETWEEN('tools.0.timeout_seconds', 1, 60),
      ],
      [{ type: 'collect_keypad', variable: 'a b' }, 'variable', FORMAT('tools.0.variable')],
      [{ type: 'collect_keypad', name: 'mcp' }, 'name', SELECTED('tools.0.name')],
      [{ type: 'assistant_transfer', description: 'x' }, 'assistant_id', REQUIRED('tools.0.assistant_id')],
      [
        { type: 'assistant_transfer', description: 'x', assistant_id: 999_999_999 },
        'assistant_id',
        SELECTED('tools.0.assistant_id'),
      ],
      [{ type: 'call_transfer', destinations: [] }, 'destinations', REQUIRED('tools.0.destinations')],
      [
        { type: 'call_transfer', destinations: [{ name: 'Ann', phone_number: '12' }] },
        'destinations.0.phone_number',
        'Invalid phone number',
      ],
      [
        { type: 'call_transfer', destinations: [ANN, ANN] },
        'destinations.1.name',
        'The tools.0.destinations.1.name field has a duplicate value.',
      ],
      [{ type: 'warm_call_transfer', destinations: [ANN] }, 'announcement', REQUIRED('tools.0.announcement')],
      [{ ...WARM, accept_key: 'A' }, 'accept_key', SELECTED('tools.0.accept_key')],
      [{ ...WARM, accept_words: ['yes -> x'] }, 'accept_words.0', FORMAT('tools.0.accept_words.0')],
      [
        { ...WARM, accept_words: ['yes'], decline_words: ['Yes'] },
        'decline_words.0',
        'The tools.0.decline_words.0 field has a duplicate value.',
      ],
      [
        { ...WARM, destinations: [{ name: 'Ann', phone_number: '12' }] },
        'destinations.0.phone_number',
        'Invalid phone number',
      ],
      [{ ...MCP, url: 'https://mcp.example/{{x}}' }, 'url', URL_FAULT('tools.0.url')],
      [{ ...MCP, allowed_tools: [] }, 'allowed_tools', REQUIRED('tools.0.allowed_tools')],
      [{ ...MCP, headers: [{ name: 'A' }] }, 'headers.0.value', REQUIRED('tools.0.headers.0.value')],
    ] as const
  ).map(([tool, field, text]): [string, unknown, string, string] => [
    'tools',
    [tool],
    `tools.0.${field}`,
    text,
  ]),
  ['tools', [LOOK_UP, LOOK_UP], 'tools.1.name', 'The tools.1.name field has a duplicate value.'],
  ['tools', [{}], 'tools.0.type', REQUIRED('tools.0.type')],
  ['tools', [{ type: 'end_call' }, { type: 'end_call' }], 'tools.1.type', SELECTED('tools.1.type')],
  [
    'tools',
    [{ type: 'end_call', description: 'x'.repeat(501) }],
    'tools.0.description',
    LONG('tools.0.description', 500),
  ],
];
