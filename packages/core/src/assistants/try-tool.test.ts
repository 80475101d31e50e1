import { writtenTool } from '@parley/contracts';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, makeUser } from '../../test/arrange.ts';
import { createAccountTool } from './account-tools.ts';
import { tryAccountTool, tryTool } from './try-tool.ts';

const database = useTestDatabase();
const NONE = { variables: {}, arguments: {} };

async function setup() {
  const receiver = await startWebhookReceiver();
  const written = {
    type: 'http_request',
    name: 'look_up',
    description: 'Looks up.',
    url: `${receiver.url}?place={{place}}`,
    headers: [{ name: 'Authorization', value: 'Bearer secret' }],
  };
  const about = await arrange(database.db, { tools: [written] });
  const ctx = { ...about.ctx, allowPrivateWebhooks: 'loopback' as const };
  const tool = writtenTool.parse({ ...written, headers: [{ name: 'Authorization' }] });
  return { ...about, ctx, receiver, written, tool, edited: { assistantId: about.assistant.id, tool } };
}

it('sends the request with the values, and shows what was sent and answered, without secrets', async () => {
  const { ctx, identity, receiver, edited } = await setup();
  receiver.answerNext({ status: 409, body: 'closed' });
  const trial = { variables: { place: 'hall 1' }, arguments: { day: 'monday' } };
  const result = await tryTool(ctx, identity, edited, trial);
  expect(result).toMatchObject({
    method: 'POST',
    url: `${receiver.url}?place=hall%201`,
    body: '{"day":"monday"}',
    status: 409,
    response_body: 'closed',
    error: null,
  });
  expect(result.header_names).toContain('authorization');
  expect(JSON.stringify(result)).not.toContain('secret');
  expect((await receiver.request(1)).headers).toMatchObject({ authorization: 'Bearer secret' });
  await receiver.close();
});

it('reaches public addresses only, but for operators', async () => {
  const { ctx, identity, receiver, edited } = await setup();
  const member = { ...identity, role: 'member' as const };
  const refused = await tryTool(ctx, member, edited, NONE);
  expect(refused).toMatchObject({ status: null, response_body: null, error: expect.any(String) as string });
  expect(receiver.requests).toHaveLength(0);
  await receiver.close();
});

it('does not send a stored header to another host, and refuses what is not a request', async () => {
  const { ctx, identity, receiver, edited, written, tool } = await setup();
  const moved = writtenTool.parse({
    ...written,
    url: 'https://thief.example/',
    headers: tool.type === 'http_request' ? tool.headers : [],
  });
  const trying = (other: typeof tool, trial = NONE) =>
    tryTool(ctx, identity, { ...edited, tool: other }, trial);
  await expect(trying(moved)).rejects.toMatchObject({ kind: 'invalid' });
  await expect(trying({ type: 'end_call' })).rejects.toMatchObject({ kind: 'invalid' });
  const path = writtenTool.parse({ ...written, url: `${receiver.url}/{{place}}` });
  await expect(trying(path, { ...NONE, variables: { place: '..' } })).rejects.toMatchObject({
    fields: { url: ['The url cannot be used with these values.'] },
  });
  const stranger = await makeUser(ctx);
  await expect(tryTool(ctx, stranger, edited, NONE)).rejects.toMatchObject({ kind: 'not-found' });
  expect(receiver.requests).toHaveLength(0);
  await receiver.close();
});

it('tries a tool of the account', async () => {
  const { ctx, identity, receiver } = await setup();
  const { id } = await createAccountTool(ctx, identity, {
    name: 'book',
    description: 'Books.',
    endpoint: receiver.url,
    method: 'GET',
    timeout: 10,
    headers: [],
    schema: [],
  });
  const result = await tryAccountTool(ctx, identity, id, { variables: {}, arguments: { day: 'monday' } });
  expect(result).toMatchObject({ method: 'GET', url: `${receiver.url}?day=monday`, body: null, status: 200 });
  const stranger = await makeUser(ctx);
  await expect(tryAccountTool(ctx, stranger, id, NONE)).rejects.toMatchObject({ kind: 'not-found' });
  await receiver.close();
});
