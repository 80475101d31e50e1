import { updateAssistantBody } from '@parley/contracts';
import {
  createDocument,
  createEmbedder,
  createKnowledgebase,
  storeDocument,
  updateAssistant,
} from '@parley/core';
import { statement, User } from '@parley/db';
import { systemClock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { SpeechError, type LanguageModelEvent } from '@parley/speech';
import { createFakeModel, fakeSpeech, type FakeAnswer } from '@parley/speech/fakes';
import {
  createHostedModel,
  createTestAssistant,
  createTestContext,
  createTestUser,
  startWebhookReceiver,
  useTestDatabase,
} from '@parley/testkit';
import { createEngines } from '../engines.ts';
import { expect, onTestFinished, test } from 'vitest';
import { writtenReply } from './answer-question.ts';
import { WrittenReplies } from './written-replies.ts';

const database = useTestDatabase();
const HELLO = [{ role: 'user' as const, content: 'When do you open?' }];
const call = (name: string, given: unknown): LanguageModelEvent => ({
  type: 'tool-call',
  id: '1',
  name,
  arguments: given,
});

interface Setup {
  answers?: readonly FakeAnswer[];
  fields?: Record<string, unknown>;
}

/** An assistant with a hosted model that gives these answers, and two HTTP tools. */
async function setup({ answers = [], fields = {} }: Setup) {
  const core = createTestContext(database.db);
  const { identity } = await createTestUser(core);
  const server = await startWebhookReceiver();
  const http = createGuardedClient({ clock: systemClock, allowPrivate: 'loopback' });
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  const assistant = await createTestAssistant(core, identity, {
    llm_model: await createHostedModel(core),
    system_prompt: 'You help {{name}}. Direction: {{call_direction}}.',
    tools: [
      { type: 'http_request', name: 'look_up', description: 'Looks up.', url: server.url },
      { type: 'dtmf_input' },
    ],
    ...fields,
  });
  const model = createFakeModel({ clock: systemClock, answers });
  const replies = new WrittenReplies({ core, http, embedder: createEmbedder(core), openModel: () => model });
  const ask = (
    about: { run_tools?: boolean; user_id?: number; messages?: typeof HELLO } = {},
    signal = new AbortController().signal,
  ) =>
    writtenReply(
      { core, replies },
      {
        user_id: identity.userId,
        assistant_id: assistant.id,
        messages: HELLO,
        variables: { name: 'Ada' },
        run_tools: false,
        ...about,
      },
      signal,
    );
  return { core, identity, assistant, server, model, replies, ask };
}

test('the model gets the prompt of a call with variables, and its text is the reply', async () => {
  const { ask, model } = await setup({ answers: [fakeSpeech('At nine.\n\nSee you then.')] });
  expect(await ask()).toEqual({
    status: 200,
    body: {
      reply: 'At nine.\n\nSee you then.',
      is_ended: false,
      tool_calls: [],
      variables: {},
      first_words_ms: expect.any(Number) as number,
      duration_ms: expect.any(Number) as number,
      total_cost: 0,
      // The model has no price.
      are_costs_complete: false,
    },
  });
  const [request] = model.requests;
  expect(request?.systemPrompt).toMatch(/^You help <<Ada>>\. Direction: <<text>>\.\n\nAbout this call:/);
  expect(request?.systemPrompt).toContain('The customer writes to the assistant');
  expect(request?.dialogue).toEqual([{ role: 'customer', kind: 'speech', text: 'When do you open?' }]);
  expect(request?.tools.map(({ name }) => name)).toEqual(['end_call']);
});

test.each([
  ['[pressed 1]', [{ kind: 'dtmf', text: '1' }]],
  [
    'Hello. [pressed 42#] Thanks.',
    [
      { kind: 'speech', text: 'Hello.' },
      { kind: 'dtmf', text: '42#' },
      { kind: 'speech', text: 'Thanks.' },
    ],
  ],
  ['[pressed hard]', [{ kind: 'speech', text: '[pressed hard]' }]],
])('the keys in %s are pressed, as in the record of a call', async (content, entries) => {
  const { ask, model } = await setup({ answers: [fakeSpeech('Good.')] });
  await ask({ messages: [{ role: 'user', content }] });
  expect(model.requests[0]?.dialogue).toEqual(entries.map((entry) => ({ role: 'customer', ...entry })));
});

test('the cost of a reply is that of the tokens of all its requests to the model', async () => {
  const usage = { type: 'usage' as const, inputTokens: 1000, outputTokens: 500 };
  const answers = [
    { events: [call('look_up', {}), usage] },
    { events: [{ type: 'text' as const, text: 'At nine.' }, usage] },
  ];
  const { ask, core } = await setup({ answers });
  const addPrices = statement(
    '',
    `insert into prices (llm_model_id, unit, price)
     select m.id, u.unit, u.price from llm_models m, (values ('input_token', 2), ('output_token', 10)) u (unit, price)
     where m.provider_id in (select id from providers where kind <> 'built-in')`,
  );
  await core.db.query(addPrices, []);
  // 2000 of 2 a million, and 1000 of 10 a million.
  expect((await ask()).body).toMatchObject({ total_cost: 0.014, are_costs_complete: true });
});

test('HTTP tools run only when the request allows them, and tools of a line never', async () => {
  const answers = [
    { events: [call('look_up', {}), call('dtmf_input', { keys: '1' })] },
    fakeSpeech('At nine.'),
  ];
  const forbidden = await setup({ answers });
  expect((await forbidden.ask()).body).toMatchObject({
    reply: 'At nine.',
    tool_calls: [{ is_ok: false }, {}],
  });
  expect(forbidden.server.requests).toEqual([]);
  const { ask, server, core, identity } = await setup({ answers });
  server.answerNext({ status: 200, body: '{"opens":"09:00"}' });
  await core.db.transaction(({ em }) => em.nativeUpdate(User, { id: identity.userId }, { role: 'operator' }));
  expect(await ask({ run_tools: true })).toMatchObject({
    status: 200,
    body: {
      reply: 'At nine.',
      tool_calls: [
        { name: 'look_up', is_ok: true, result: 'HTTP 200\n{"opens":"09:00"}' },
        { name: 'dtmf_input', is_ok: false, result: 'There is no such tool.' },
      ],
    },
  });
});

/** A knowledge base with one document, of the user of a test. */
async function addKnowledge({ core, identity, assistant }: Awaited<ReturnType<typeof setup>>, mode: string) {
  const { id } = await createKnowledgebase(core, identity, { name: 'Shop', description: 'Hours and prices' });
  const input = { name: 'Hours', type: 'txt' as const, content: 'We open at {{nine}}.' };
  const document = await createDocument(core, identity, { knowledgebaseId: id, input });
  await storeDocument(core, document.id, { text: input.content });
  const changes = updateAssistantBody.parse({ knowledgebase_id: id, knowledgebase_mode: mode });
  await updateAssistant(core, identity, { id: assistant.id, changes });
}

test('the model searches the knowledge base, and the answer names what was retrieved', async () => {
  const search = call('search_knowledge_base', { query: 'When do you open?' });
  const made = await setup({ answers: [{ events: [search] }, fakeSpeech('At nine.')] });
  await addKnowledge(made, '');
  expect(await made.ask()).toMatchObject({
    status: 200,
    body: {
      reply: 'At nine.',
      tool_calls: [
        {
          name: 'search_knowledge_base',
          arguments: { query: 'When do you open?' },
          is_ok: true,
          result: expect.stringMatching(
            /\[Document \d+ "Hours", passage 1, id \d+\]\nWe open at \{\{nine\}\}\./,
          ) as string,
        },
      ],
    },
  });
  const [first, second] = made.model.requests;
  expect(first?.tools.map(({ name }) => name)).toEqual(['end_call', 'search_knowledge_base']);
  expect(first?.tools[1]?.description).toContain('"Shop": Hours and prices');
  expect(first?.systemPrompt).not.toContain('We open');
  expect(JSON.stringify(second?.dialogue)).toContain('We open at {{nine}}.');
});

test('a knowledge base in the prompt needs no tool', async () => {
  const made = await setup({ answers: [fakeSpeech('At nine.')] });
  await addKnowledge(made, 'prompt');
  expect(await made.ask()).toMatchObject({ body: { reply: 'At nine.', tool_calls: [] } });
  const [request] = made.model.requests;
  expect(request?.tools.map(({ name }) => name)).toEqual(['end_call']);
  expect(request?.systemPrompt).toContain('## Hours\n\nWe open at { {nine}}.');
});

test('a tool of a member reaches public addresses only', async () => {
  const answers = [{ events: [call('look_up', {})] }, fakeSpeech('Sorry.')];
  const { ask, server, core, identity } = await setup({ answers });
  await core.db.transaction(({ em }) => em.nativeUpdate(User, { id: identity.userId }, { role: 'member' }));
  expect(await ask({ run_tools: true })).toMatchObject({ body: { tool_calls: [{ is_ok: false }] } });
  expect(server.requests).toEqual([]);
});

test('the assistant can end the conversation', async () => {
  const { ask } = await setup({
    answers: [{ events: [{ type: 'text', text: 'Goodbye.' }, call('end_call', {})] }],
  });
  expect(await ask()).toMatchObject({ body: { reply: 'Goodbye.', is_ended: true, tool_calls: [] } });
});

test('the built-in model follows its script', async () => {
  const {
    core,
    replies: _,
    identity,
    assistant,
  } = await setup({
    fields: {
      llm_model: 'Scripted dialogue (built in)',
      system_prompt:
        '#script\n[start]\nsay How can I help?\non open, key 1 -> open, asked = hours\n\n[open]\nsay We open at nine, {{name}}.\nend',
    },
  });
  const engines = createEngines({ clock: systemClock, log: core.log });
  const http = { send: async () => ({ error: 'No server is asked in this test' }) };
  const replies = new WrittenReplies({
    core,
    http,
    embedder: createEmbedder(core),
    openModel: (access) => engines.model(access),
  });
  const question = {
    userId: identity.userId,
    assistantId: assistant.id,
    messages: [{ role: 'assistant' as const, content: 'How can I help?' }, ...HELLO],
    variables: { name: 'Ada' },
    runsTools: false,
  };
  const reply = await replies.reply(question, new AbortController().signal);
  expect(reply).toMatchObject({
    text: expect.stringContaining('We open at nine, Ada.') as string,
    notes: { asked: 'hours' },
  });
});

test('the time of a reply is that of its model', async () => {
  const { ask } = await setup({ answers: [fakeSpeech('At nine.', { firstAfterMs: 120 })] });
  const { body } = await ask();
  const { first_words_ms, duration_ms } = body as { first_words_ms: number; duration_ms: number };
  expect(first_words_ms).toBeGreaterThanOrEqual(115);
  expect(duration_ms).toBeGreaterThanOrEqual(first_words_ms);
});

const OPENINGS = [
  ['assistant', 'Hello {{name}}.', 'This is recorded. Hello Ada.', 0],
  ['assistant', '{{greeting}}', 'This is recorded. How may I help?', 1],
  ['customer', 'Hello {{name}}.', 'This is recorded.', 0],
] as const;
test.each(OPENINGS)(
  'without messages, with the %s first and the first message "%s", the reply is "%s"',
  async (first, initial, text, requests) => {
    const { ask, model } = await setup({
      answers: [fakeSpeech('How may I help?')],
      fields: {
        initial_message: initial,
        disclosure_message: 'This is recorded.',
        wait_for_customer: first === 'customer',
      },
    });
    expect(await ask({ messages: [] })).toMatchObject({ body: { reply: text, is_ended: false } });
    expect(model.requests).toHaveLength(requests);
  },
);

test('more replies than may run at once wait for a slot', async () => {
  const { ask, model, replies } = await setup({
    answers: Array.from({ length: 40 }, () => fakeSpeech('At nine.', { firstAfterMs: 50 })),
  });
  const asked = await Promise.all(Array.from({ length: 40 }, () => ask()));
  expect(asked.map(({ body }) => 'reply' in body && body.reply)).toEqual(Array(40).fill('At nine.'));
  expect(model.requests).toHaveLength(40);
  expect(replies.hasFreeSlot).toBe(true);
});

test('a reply is abandoned with its connection', async () => {
  const gone = new AbortController();
  const { ask, model, replies } = await setup({
    answers: [fakeSpeech('Never said', { firstAfterMs: 3_600_000 })],
  });
  const asked = ask({}, gone.signal);
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(1);
  gone.abort();
  expect(await asked).toMatchObject({ body: { reply: '' } });
  expect(replies.hasFreeSlot).toBe(true);
});

test('an assistant of another user is answered with 404, and a model that fails with 502', async () => {
  const failing = { events: [], failWith: new SpeechError('rejected', 'No such key') };
  const { ask, core } = await setup({ answers: [failing, failing, failing, failing] });
  const { identity: stranger } = await createTestUser(core);
  expect(await ask({ user_id: stranger.userId })).toMatchObject({ status: 404 });
  expect(await ask()).toEqual({ status: 502, body: { message: 'The language model did not answer.' } });
});
