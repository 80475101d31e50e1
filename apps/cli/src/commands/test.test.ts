/** Suites against the real api and voice; the language model is our simulator of OpenAI's protocol, the tool's server a receiver. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addProvider, recordCallEvent } from '@parley/core';
import { statement } from '@parley/db';
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator, type OpenAiSimulatorOptions } from '@parley/speech/fakes';
import { newAssistant, startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';
import type { ServerProcess } from '../../test/server-process.ts';

const installation = useInstallation();
const PROMPT = 'Answer questions. Tables: use the tool.';
/** Follows its prompt in words and in the use of its tool. */
const behaviour: OpenAiSimulatorOptions = { clock: systemClock, chat };
const openai = new OpenAiSimulator(behaviour);
let usesTool = true;
let running = 0;
let mostRunning = 0;

function chat(body: Record<string, unknown>) {
  const messages = body['messages'] as { role: string; content: unknown }[];
  const [system, ...dialogue] = messages.map(({ content }) => String(content));
  const last = dialogue.at(-1) ?? '';
  if (system?.includes('You play a person')) return { text: personaSays(dialogue) };
  if (messages.at(-1)?.role === 'tool') return { text: 'Your table is booked.' };
  if (last.includes('table'))
    return usesTool
      ? { toolCalls: [{ name: 'book_table', arguments: { guests: 2, day: 'Monday' } }] }
      : { text: 'Your table is booked.' };
  if (last.includes('bye')) return { text: 'Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] };
  return { text: system?.includes('Answer questions') ? 'We open at nine.' : 'I cannot tell.' };
}

function personaSays(heard: readonly string[]): string {
  return heard.some((text) => text.includes('nine')) ? 'Thank you, bye. [hang up]' : 'When do you open?';
}

let voice: ServerProcess;
let bookings: WebhookReceiver;
let assistantId: number;

beforeAll(async () => {
  await openai.start();
  bookings = await startWebhookReceiver();
  voice = await installation.startVoice();
  await addProvider(installation.core, {
    name: 'Simulated',
    kind: 'openai-compatible',
    baseUrl: openai.baseUrl,
    apiKey: 'key',
    models: [{ name: 'simulated', wireName: 'simulated' }],
    voices: [],
  });
  const tool = {
    type: 'http_request',
    name: 'book_table',
    description: 'Books a table.',
    url: bookings.url,
    parameters: {
      type: 'object',
      properties: { guests: { type: 'number' }, day: { type: 'string' } },
      required: ['guests'],
    },
  };
  const answer = await change('POST', '/api/user/assistant', {
    ...newAssistant({ assistant_name: 'Restaurant', llm_model: 'simulated', system_prompt: PROMPT }),
    initial_message: 'Good morning, {{name}}.',
    tools: [{ type: 'end_call' }, tool],
  });
  assistantId = (answer as { data: { id: number } }).data.id;
});
afterAll(async () => {
  await voice?.kill();
  await bookings?.close();
  await openai.stop();
});
beforeEach(async () => {
  usesTool = true;
  behaviour.firstAfterMs = 0;
  await change('PUT', `/api/user/assistant/${assistantId}`, { system_prompt: PROMPT });
});

async function change(method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(installation.url + path, {
    method,
    headers: { authorization: `Bearer ${installation.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  expect(response.ok, JSON.stringify(answer)).toBe(true);
  return answer;
}

const SUITE = `
name: Restaurant
assistant: Restaurant
run_tools: true
variables: { name: Ada }
callers:
  - name: asks <when> & books
    script:
      - When do you open?
      - A table for two, please.
    rules:
      - when: /booked\\.$/
        say: Good bye.
    expect:
      said: ["good morning, ada", /open at (nine|9)/i]
      not_said: [I cannot tell]
      tools: [{ name: book_table, arguments: { guests: 2, day: /mon/i } }]
      no_tools: [transfer]
      ended_by: assistant
      turns: { min: 3, max: 3 }
      latency: { p95: 2500, max: 2500 }
`;

const addPrices = statement(
  '',
  `insert into prices (llm_model_id, unit, price)
   select id, unit, 10 from llm_models, unnest(array['input_token', 'cached_input_token', 'output_token']) unit
   where name = 'simulated'`,
);

async function runSuite(suite: string, ...options: string[]) {
  const path = join(installation.dataDir, 'suite.yaml');
  await writeFile(path, suite);
  const terminal = installation.openTerminal();
  return { path, ...(await terminal.run('test', path, ...options)) };
}

test('a suite whose expectations are met exits with 0, and writes JUnit and JSON', async () => {
  const junit = join(installation.dataDir, 'junit.xml');
  const json = join(installation.dataDir, 'results.json');
  bookings.requests.length = 0;
  const ran = await runSuite(SUITE, '--junit', junit, '--json', json);
  expect(ran.out + ran.err).toMatch(
    /asks <when> & books +passed +1\/1 +3 +\d+ ms\n\n1 of 1 callers passed\./,
  );
  expect(ran.exitCode).toBe(0);
  expect(bookings.requests).toMatchObject([{ body: '{"guests":2,"day":"Monday"}' }]);
  const xml = await readFile(junit, 'utf8');
  expect(XMLValidator.validate(xml)).toBe(true);
  expect(xml).toContain('<testcase classname="Restaurant" name="asks &lt;when&gt; &amp; books"');
  expect(xml).toContain('tests="1" failures="0"');
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    suite: 'Restaurant',
    is_passed: true,
    callers: [{ is_passed: true, runs: [{ failures: [], ended_by: 'assistant', tools: [{ is_ok: true }] }] }],
  });
});

const REGRESSIONS = [
  [
    'prompt',
    () => change('PUT', `/api/user/assistant/${assistantId}`, { system_prompt: 'Be kind.' }),
    ['The assistant did not say "/open at (nine|9)/i".', 'The assistant said "I cannot tell".'],
  ],
  [
    'latency',
    () => {
      behaviour.firstAfterMs = 2600;
    },
    ['Latency, 95th percentile (ms)', 'Longest latency (ms)'],
  ],
  [
    'tool use',
    () => {
      usesTool = false;
    },
    ['The tool book_table was not used with {"guests":2,"day":"/mon/i"}.'],
  ],
] as const;
test.each(REGRESSIONS)(
  'a planted regression of %s exits with 1 and is named',
  async (_of, plant, sentences) => {
    await plant();
    const junit = join(installation.dataDir, 'failed.xml');
    const ran = await runSuite(SUITE, '--junit', junit);
    expect(ran.exitCode).toBe(1);
    for (const sentence of sentences) expect(ran.out).toContain(sentence);
    expect(ran.out).toContain('AI: Good morning, Ada.\n  Customer: When do you open?\n');
    expect(ran.err).toMatch(/1 of 1 callers failed\.\n$/);
    const xml = await readFile(junit, 'utf8');
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).toMatch(/tests="1" failures="1"[\s\S]*<failure message="/);
  },
);

test('a persona is played by a model, or by another assistant', async () => {
  await change('POST', '/api/user/assistant', {
    ...newAssistant({ assistant_name: 'Caller', llm_model: 'simulated', initial_message: '{{none}}' }),
    system_prompt: 'You play a person: {{persona}}',
  });
  const suite = (player: string) => `
assistant: ${assistantId}
player: ${player}
max_turns: 4
callers:
  - name: curious
    persona: You want to know when the restaurant opens.
    expect: { said: [open at nine], turns: { min: 2 } }
`;
  const model = await runSuite(suite(`{ base_url: "${openai.baseUrl}", model: simulated }`));
  expect(model.out).toContain('curious  passed');
  const assistant = await runSuite(suite('{ assistant: Caller }'));
  expect(assistant.out).toContain('curious  passed');
});

test('the cost of replies in text is checked', async () => {
  const suite = (most: number) => `
assistant: Restaurant
callers:
  - name: asks
    script: [When do you open?]
    expect: { max_cost: ${most} }
`;
  // The model has no price.
  expect(await runSuite(suite(1))).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('Cost: not known.'),
  });
  await installation.core.db.query(addPrices, []);
  expect(await runSuite(suite(1))).toMatchObject({ exitCode: 0 });
  const tooMuch = await runSuite(suite(0.000001));
  expect(tooMuch).toMatchObject({ exitCode: 1, out: expect.stringMatching(/Cost.*0\.000001/) });
});

test('a hundred conversations run in parallel, at most as many replies at once as a process gives', async () => {
  behaviour.chat = (body) => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    return chat(body);
  };
  behaviour.faultFor = (request) => {
    void request.outcome.then(() => (running -= 1));
    return undefined;
  };
  behaviour.firstAfterMs = 200;
  const suite = `
assistant: Restaurant
runs: 100
callers:
  - name: asks
    script: [When do you open?, Good bye.]
    expect: { said: [nine], ended_by: assistant }
`;
  const ran = await runSuite(suite, '--parallel', '100');
  expect(ran.out).toMatch(/asks +passed +100\/100 +2 /);
  expect(ran.exitCode).toBe(0);
  expect(mostRunning).toBeGreaterThan(1);
  expect(mostRunning).toBeLessThanOrEqual(16);
});

test('a caller passes with its required share of runs', async () => {
  let asked = 0;
  behaviour.chat = () => ({ text: (asked += 1) === 1 ? 'Hm.' : 'We open at nine.' });
  const suite = (rate: number) => `
assistant: Restaurant
runs: 3
pass_rate: ${rate}
callers: [{ name: asks, script: [When do you open?], expect: { said: [nine] } }]
`;
  expect(await runSuite(suite(0.6), '--parallel', '1')).toMatchObject({ exitCode: 0 });
  asked = 0;
  const failed = await runSuite(suite(0.7), '--parallel', '1');
  expect(failed).toMatchObject({ exitCode: 1 });
  expect(failed.out).toContain('asks    FAILED  2/3');
  behaviour.chat = chat;
});

const FAULTS = [
  ['callers: []', 'line 1, callers: It must be at least 1 entries long.'],
  ['callers:\n  - name: a\n    script: [x]', 'line 2, callers.0.assistant: Name an assistant'],
  [
    'assistant: 1\ncallers:\n  - name: a\n    scrpt: [x]',
    'line 3, callers.0: There is no such field: "scrpt".',
  ],
  ['assistant: 1\ncallers:\n  - name: a\n    persona: x', 'callers.0.persona: A persona needs a player'],
  [
    'assistant: 1\ncallers:\n  - name: a\n    script: [x]\n    expect:\n      said: [/(/]',
    'line 6, callers.0.expect.said.0: It is not a valid regular expression.',
  ],
  [
    'assistant: 1\ncallers:\n  - name: a\n    script: [x]\n    expect: { max_silence: 1 }',
    'line 5, callers.0.expect.max_silence: This is known for calls only',
  ],
  [
    'assistant: 1\ncallers:\n  - name: a\n    mode: voice\n    phone: pub',
    'callers.0.phone: It must be one of "talks"',
  ],
  ['assistant: 1\nruns: many\ncallers: [{ name: a, script: [x] }]', 'line 2, runs: It must be a number.'],
  ['assistant: nobody\ncallers: [{ name: a, script: [x] }]', 'There is no assistant "nobody".'],
  ['a: [', 'line 1, the file: '],
] as const;
test.each(FAULTS)('the suite %j exits with 2 and names the fault', async (suite, fault) => {
  const ran = await runSuite(suite);
  expect(ran.err).toContain(fault);
  expect(ran).toMatchObject({ exitCode: 2, out: '' });
});

test('a server that cannot be reached, and a suite that cannot be read, exit with 2', async () => {
  const nowhere = await runSuite(SUITE, '--url', 'http://127.0.0.1:1');
  expect(nowhere).toMatchObject({ exitCode: 2, err: 'GET http://127.0.0.1:1: no response.\n' });
  const badToken = await runSuite(SUITE, '--token', 'wrong');
  expect(badToken).toMatchObject({ exitCode: 2, err: 'Unauthenticated.\n' });
  const none = await installation.openTerminal().run('test', '/nowhere.yaml');
  expect(none).toMatchObject({ exitCode: 2, err: '/nowhere.yaml cannot be read.\n' });
});

test('an expression that needs endless time fails the run', async () => {
  const suite = `
assistant: Restaurant
callers:
  - name: asks
    script: [When do you open?]
    rules: [{ when: '/^(\\w+ ?)+!$/', say: x }]
`;
  await change('PUT', `/api/user/assistant/${assistantId}`, {
    initial_message: 'The quick brown fox jumps over the lazy dog and does not come back.',
  });
  const ran = await runSuite(suite);
  await change('PUT', `/api/user/assistant/${assistantId}`, { initial_message: 'Good morning, {{name}}.' });
  expect(ran.exitCode).toBe(1);
  expect(ran.out).toContain('needs too much time');
});

const setTurns = statement('', `update calls set turns = $2::jsonb where id = $1`);

/** A call of this assistant that is over, with these turns. */
async function recordCall(): Promise<number> {
  const placed = await change('POST', '/api/user/make_call', {
    phone_number: '+12025550161',
    assistant_id: assistantId,
    variables: { name: 'Ada' },
  });
  const { call_id: callId } = placed as { call_id: number };
  await recordCallEvent(installation.core, { callId, event: 'failed', at: new Date(systemClock.now()) });
  const turn = (sender: 'bot' | 'human', text: string) => ({
    sender,
    text,
    startedAtMs: 0,
    startMs: 0,
    endMs: 0,
    isInterrupted: false,
    latencyMs: {},
  });
  const turns = [
    turn('bot', 'Hello.'),
    turn('human', 'When do you open?'),
    turn('human', 'Tell me.'),
    turn('bot', 'We are closed.'),
  ];
  await installation.core.db.query(setTurns, [callId, JSON.stringify(turns)]);
  return callId;
}

test('a recorded call is replayed beside its recording', async () => {
  const callId = await recordCall();
  const json = join(installation.dataDir, 'replay.json');
  const args = ['test', '--replay', String(callId), '--assistant', String(assistantId)];
  const ran = await installation.openTerminal().run(...args, '--json', json);
  expect(ran).toMatchObject({ exitCode: 0 });
  expect(ran.out).toMatch(/^Call \d+, as recorded +\|  Assistant \d+, now\n-+\n/);
  expect(ran.out).toMatch(/\nHello\. +\|  Good morning, Ada\.\n\nCustomer: When do you open\?/);
  expect(ran.out).toMatch(/Customer: When do you open\? Tell me\.\nWe are closed\. +\|  We open at nine\.\n/);
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    call_id: callId,
    is_ended_early: false,
    turns: [{ caller: null }, { caller: 'When do you open? Tell me.', now: 'We open at nine.' }],
  });
  const nothing = await installation.openTerminal().run('test', '--replay', String(callId));
  expect(nothing).toMatchObject({ exitCode: 2, err: 'A replay needs --assistant.\n' });
});

test('a recorded call is evaluated again by the present schema, and keeps its evaluation', async () => {
  const callId = await recordCall();
  const evaluate = () => installation.openTerminal().run('calls', 'evaluate', String(callId));
  const path = `/api/user/assistant/${assistantId}`;
  await change('PUT', path, { post_call_schema: [] });
  expect(await evaluate()).toMatchObject({
    exitCode: 1,
    err: 'The assistant of this call has no post_call_schema.\n',
  });
  await change('PUT', path, {
    post_call_schema: [{ name: 'asked_hours', type: 'bool', description: 'Asked for the hours' }],
  });
  behaviour.chat = ({ messages }) =>
    JSON.stringify(messages).includes('Customer: When do you open?')
      ? { toolCalls: [{ name: 'record_evaluation', arguments: { asked_hours: true } }] }
      : { text: 'Hm.' };
  expect(await evaluate()).toMatchObject({
    exitCode: 0,
    out: 'FIELD        STORED  NOW\nasked_hours  -       true\n',
  });
  const shown = await installation.openTerminal().run('calls', 'show', String(callId), '--json');
  expect(JSON.parse(shown.out)).toMatchObject({ evaluation: {} });
  behaviour.chat = () => ({ text: 'Hm.' });
  expect(await evaluate()).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('The language model did not fill in the form.') as string,
  });
  behaviour.chat = chat;
});
