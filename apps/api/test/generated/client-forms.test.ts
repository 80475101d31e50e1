/**
 * Existing clients of this API family must work with a changed base URL and token only: sends every form of
 * `client-forms.ts` and `client-operations.ts` as they do, with `Content-Type: application/json` also where there is no body, and without a user agent.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TWILIO_ACCOUNT, useTestDatabase } from '@parley/testkit';
import { startWorld, type World } from './asking.ts';
import { clientForms, type ClientForm } from './client-forms.ts';
import { clientOperations } from './client-operations.ts';
import { sendRaw, type RawAnswer } from './raw-request.ts';
import { make, type Resource } from './world.ts';

const database = useTestDatabase();
let world: World;
let voice: { url: string; close(): void };

beforeAll(async () => {
  voice = await startFakeVoice();
  world = await startWorld({ db: database.db, settings: { VOICE_URL: voice.url } });
  // The lists must not be empty.
  for (const resource of ['call', 'folder', 'label', 'phoneNumber', 'provider', 'tool'] as const)
    await make(world.live, resource, world.member);
  const { parentId } = await make(world.live, 'document', world.member);
  words.set('parent', String(parentId));
  words.set('offered', '+12025559001');
  words.set('carrierNumber', String(await buyNumber('+12025559002')));
  world.live.twilio.world.sell('+12025559001');
});

afterAll(async () => {
  await world.stop();
  voice.close();
});

/** A voice process in which every assistant says hello. */
async function startFakeVoice() {
  const cost = { total_cost: 0, are_costs_complete: true };
  const facts = {
    tool_calls: [],
    variables: {},
    first_words_ms: 4,
    duration_ms: 9,
    is_ended: false,
    ...cost,
  };
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ reply: 'Hello.', ...facts }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** What words in angle brackets stand for, besides new rows. */
const words = new Map<string, string>();

const named = [...clientForms, ...clientOperations].map((form) => ({
  form,
  name: [form.method, form.path, form.note && `(${form.note})`].filter(Boolean).join(' '),
}));

test.each(named.filter(({ form }) => form.notTaken === undefined))('$name', async ({ form }) => {
  const answer = await send(form);
  expect(answer.status, answer.text).toBe(form.status ?? (answer.status < 300 ? answer.status : 200));
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expectReadable(form, JSON.parse(answer.text));
});

test.each(named.filter(({ form }) => form.notTaken !== undefined))(
  '$name is not taken: $form.notTaken',
  async ({ form }) => {
    const answer = await send(form);
    expect([404, 405, 422], answer.text).toContain(answer.status);
    expect(JSON.parse(answer.text)).toHaveProperty('message');
  },
);

/** The member connects a carrier account and buys a number that can send messages. @returns its id */
async function buyNumber(number: string): Promise<number> {
  const ask = async (path: string, body: object) => {
    const answer = await world.live.ask(`/api/user/${path}`, {
      method: 'POST',
      token: world.member.token,
      body,
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return (answer.body as { data: { id: number } }).data;
  };
  const { sid, token } = TWILIO_ACCOUNT;
  const account = await ask('carrier-accounts', {
    name: 'Main',
    kind: 'twilio',
    account_sid: sid,
    secret: token,
  });
  await ask(`carrier-accounts/${account.id}/connect`, { sip_address: 'sip.parley.example' });
  world.live.twilio.world.sell(number);
  const bought = await ask('phone-numbers/purchase', { phone_number: number });
  return bought.id;
}

/** Sends a request as clients of this family do. */
async function send({ method, path, body }: ClientForm): Promise<RawAnswer> {
  return sendRaw(world.live.url, {
    method,
    target: await filled(path),
    headers: {
      authorization: `Bearer ${world.member.token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    ...(body === undefined ? {} : { body: await filled(JSON.stringify(body)) }),
  });
}

/** Replaces the words in angle brackets with ids of new rows; `<document.parent>` is the base of the next `<document>`. */
async function filled(text: string): Promise<string> {
  let result = text;
  for (const [word, name] of text.matchAll(/<(\w+)>/g)) {
    if (name === undefined) continue;
    const known = words.get(name);
    const { id, parentId } = known ? { id: known } : await make(world.live, name as Resource, world.member);
    result = result.replace(word, String(id)).replace(`<${name}.parent>`, String(parentId));
  }
  return result;
}

function expectReadable({ reads }: ClientForm, body: unknown): void {
  if (!reads) throw new Error('The form says nothing about the answer');
  if ('page' in reads)
    return expect(body).toMatchObject({ current_page: 1, data: expect.any(Array) as unknown });
  if ('fields' in reads) {
    if (reads.isTrue !== undefined) expect(body).toHaveProperty(reads.isTrue, true);
    return expectFields(body, reads.fields);
  }
  expect(body).toBeInstanceOf(Array);
  expect((body as unknown[]).length).toBeGreaterThan(0);
  for (const item of body as unknown[]) expectFields(item, reads.list);
}

function expectFields(body: unknown, fields: readonly string[]): void {
  for (const field of fields) expect(body).toHaveProperty(field);
}
