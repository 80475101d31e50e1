import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { forgetLocalServer } from '../../../test/forget-local-server.ts';
import { makeContext, makeUser } from '../../../test/arrange.ts';
import { addProvider } from '../add-provider.ts';
import { listModels } from '../list-lookups.ts';
import { findLocalServers } from './find-local-servers.ts';
import { readModels } from './local-servers.ts';

const database = useTestDatabase();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server on a free port that gives one answer to every request, and a query of the lists. */
async function setup(answer: { status?: number; body: unknown; headers?: Record<string, string> }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const { ctx: made } = makeContext(database.db);
  const ctx = { ...made, clock: systemClock };
  const identity = await makeUser(ctx);
  const name = `Server ${port}`;
  await forgetLocalServer(ctx, port);
  const look = async (ownPorts: number[] = []): Promise<void> =>
    findLocalServers(ctx, { ownPorts, servers: [{ name, port }] });
  const offered = async (): Promise<string[]> =>
    (await listModels(ctx, identity)).map((model) => model.name).filter((model) => model.includes(name));
  return { ctx, port, name, asked, look, offered, answer };
}
const MODELS = { object: 'list', data: [{ id: 'llama3.2:latest' }, { id: 'nomic-embed-text' }] };

describe('a server of models on this machine', () => {
  it('is offered, labelled, once, however often it is looked for', async () => {
    const { name, look, offered } = await setup({ body: MODELS });
    await Promise.all([look(), look()]);
    await look();
    expect(await offered()).toEqual([`llama3.2:latest (${name} on this machine)`]);
  });

  it('brings its list up to date', async () => {
    const { name, look, offered, answer } = await setup({ body: MODELS });
    await look();
    answer.body = { data: [{ id: 'qwen3' }] };
    await look();
    expect(await offered()).toEqual([`qwen3 (${name} on this machine)`]);
  });

  it('stays as an operator has set it up', async () => {
    const { ctx, port, look, offered } = await setup({ body: MODELS });
    const baseUrl = `http://localhost:${port}/v1/`;
    await addProvider(ctx, { name: 'Mine', kind: 'openai-compatible', baseUrl, models: [], voices: [] });
    await look();
    expect(await offered()).toEqual([]);
  });

  it('offers none of its models for speech', async () => {
    const speech = [
      { id: 'Systran/faster-distil-small.en', task: 'automatic-speech-recognition' },
      { id: 'speaches-ai/an-american-voice', task: 'text-to-speech' },
      { id: 'kokoro' },
      { id: 'tts-1' },
      { id: 'whisper-large-v3' },
    ];
    const { name, look, offered } = await setup({ body: { data: [...speech, { id: 'qwen3' }] } });
    await look();
    expect(await offered()).toEqual([`qwen3 (${name} on this machine)`]);
  });

  it.each([
    ['a page', { body: '<html>' }],
    ['another list', { body: { data: [{ name: 'x' }] } }],
    ['nothing', { body: { data: [] } }],
    ['a refusal', { status: 401, body: MODELS }],
    ['a way elsewhere', { status: 302, body: MODELS, headers: { location: 'http://example.com/' } }],
  ])('is none that answers with %s', async (_name, answer) => {
    const { look, offered, asked } = await setup(answer);
    await look();
    expect(asked).toEqual(['GET /v1/models']);
    expect(await offered()).toEqual([]);
  });

  it('is never one of our own', async () => {
    const { look, asked, port } = await setup({ body: MODELS });
    await look([port]);
    expect(asked).toEqual([]);
  });

  it('may be away', async () => {
    const { look } = await setup({ body: MODELS });
    await closing.pop()?.();
    await look();
  });
});

it('a name that no assistant could be given is left out', () => {
  const body = JSON.stringify({ data: [{ id: 'm'.repeat(100) }, { id: 'small' }, { id: 'small' }] });
  expect(readModels(body, { name: 'X', port: 1 })?.models).toEqual([
    { name: 'small (X on this machine)', wireName: 'small', purpose: 'conversation' },
  ]);
});
