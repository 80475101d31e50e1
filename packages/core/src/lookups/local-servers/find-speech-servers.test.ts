/**
 * Servers of speech on this machine. The answers follow the sources of Speaches, Kokoro-FastAPI and Piper, and of servers
 * that lack a part of the protocol.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, Voice } from '@parley/db';
import { systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { forgetLocalServer } from '../../../test/forget-local-server.ts';
import { makeContext, makeUser } from '../../../test/arrange.ts';
import { listTranscriberProviders } from '../list-lookups.ts';
import { changeProvider, listProviders } from '../providers/providers.ts';
import { findLocalServers } from './find-local-servers.ts';

const database = useTestDatabase();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What a route answers: a body of JSON or text, a status, or for `hang` nothing for ever. */
type Answer = object | string | number;

function answerWith(answer: Answer, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (typeof answer === 'number') return void response.writeHead(answer).end('{"detail":"refused"}');
  const isPage = typeof answer === 'string';
  response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/json' });
  response.end(isPage ? answer : JSON.stringify(answer));
}

/** A server with these routes; others are 404, as in FastAPI. */
async function setup(routes: Record<string, Answer>, name = 'vLLM') {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const route = `${request.method} ${request.url}`;
    asked.push(route);
    // The whole request is read before it is answered.
    request.resume().once('end', () => answerWith(routes[route] ?? 404, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const { ctx: made } = makeContext(database.db);
  const ctx = { ...made, clock: systemClock };
  const identity = { ...(await makeUser(ctx)), role: 'operator' as const };
  const look = async (): Promise<void> =>
    findLocalServers(ctx, { ownPorts: [], servers: [{ name, port, isForLanguage: name === 'vLLM' }] });
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  await forgetLocalServer(ctx, port);
  const provider = async () =>
    (await listProviders(ctx, identity)).find(({ base_url: address }) => address === baseUrl);
  const found = async () => {
    await look();
    const record = await provider();
    if (!record) throw new Error('The server was not found');
    return record;
  };
  const transcribers = async () => (await listTranscriberProviders(ctx, identity)).map(({ id }) => id);
  return { ctx, identity, routes, asked, look, provider, found, transcribers };
}

const SMALL = 'Systran/faster-whisper-small';
const ENGLISH = 'Systran/faster-distil-whisper-small.en';
const recognition = (id: string) => ({
  id,
  created: 1,
  object: 'model',
  owned_by: 'Systran',
  language: ['en'],
  task: 'automatic-speech-recognition',
});
const KOKORO = {
  id: 'speaches-ai/Kokoro-82M-v1.0-ONNX',
  object: 'model',
  task: 'text-to-speech',
  sample_rate: 24_000,
  voices: [
    { name: 'af_heart', language: 'en-us', gender: 'female', id: 'af_heart' },
    { name: 'jf_alpha', language: 'ja', gender: 'female', id: 'jf_alpha' },
  ],
};
const PIPER = {
  id: 'speaches-ai/piper-de_DE-thorsten-medium',
  task: 'text-to-speech',
  sample_rate: 22_050,
  voices: [{ name: 'thorsten', language: 'de', id: 'thorsten' }],
};
const SPEACHES = {
  'GET /v1/models': { object: 'list', data: [recognition(ENGLISH), recognition(SMALL), KOKORO, PIPER] },
};
const KOKORO_MODELS = { data: ['tts-1', 'tts-1-hd', 'kokoro', 'gpt-4o-mini-tts'].map((id) => ({ id })) };

describe('Speaches', () => {
  it('transcribes, and speaks with the voices of each model', async () => {
    const { ctx, found, transcribers, asked } = await setup(SPEACHES);
    const server = await found();
    expect(server).toMatchObject({
      name: 'Speaches (found on this machine)',
      is_found: true,
      models: [],
      transcription_model: SMALL,
      note: 'Found by itself. It works while the server runs.',
    });
    expect(server.voices.map(({ name, wire_name: wire }) => [name, wire])).toEqual([
      ['af_heart, Kokoro-82M-v1.0-ONNX (Speaches on this machine)', `af_heart@${KOKORO.id}`],
      ['jf_alpha, Kokoro-82M-v1.0-ONNX (Speaches on this machine)', `jf_alpha@${KOKORO.id}`],
      ['thorsten, piper-de_DE-thorsten-medium (Speaches on this machine)', `thorsten@${PIPER.id}`],
    ]);
    const voices = await ctx.db.em.find(Voice, { providerId: server.id }, { orderBy: { id: 'asc' } });
    expect(voices.map(({ languageId }) => languageId !== null)).toEqual([true, true, true]);
    expect(await ctx.db.em.findOneOrFail(Provider, server.id)).toMatchObject({ convertsSampleRate: true });
    expect(await transcribers()).toContain(server.id);
    expect(asked).toEqual(['GET /v1/models']);
  });

  it('names its model itself: another one is refused, unless the provider becomes the operator’s', async () => {
    const { ctx, identity, found, routes } = await setup({ ...SPEACHES });
    const { id, name } = await found();
    const change = { id, name, transcription_model: ENGLISH };
    await expect(changeProvider(ctx, identity, change)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { transcription_model: [expect.stringContaining('give the provider another name')] },
    });
    await changeProvider(ctx, identity, { ...change, transcription_model: SMALL });
    expect(await found()).toMatchObject({ id, transcription_model: SMALL, is_found: true });
    routes['GET /v1/models'] = { data: [recognition(ENGLISH)] };
    expect(await found()).toMatchObject({ id, transcription_model: ENGLISH, voices: [] });
  });

  it('that an operator has renamed stays as it is', async () => {
    const { ctx, identity, found } = await setup(SPEACHES);
    const { id } = await found();
    await changeProvider(ctx, identity, { id, name: 'Ours', transcription_model: 'mine' });
    expect(await found()).toMatchObject({ id, name: 'Ours', transcription_model: 'mine', is_found: false });
  });
});

describe('Kokoro-FastAPI', () => {
  it.each([
    [
      'objects',
      [
        { id: 'af_bella', name: 'af_bella' },
        { id: 'zf_xiaoni', name: 'zf_xiaoni' },
      ],
    ],
    ['names', ['af_bella', 'zf_xiaoni']],
    ['some entries without a usable name', ['af_bella', 7, {}, '', 'a@b', 'zf_xiaoni', 'af_bella']],
  ])('speaks with its list of voices: %s', async (_form, voices) => {
    const routes = { 'GET /v1/models': KOKORO_MODELS, 'GET /v1/audio/voices': { voices } };
    const { ctx, found, transcribers } = await setup(routes, 'Kokoro-FastAPI');
    const server = await found();
    expect(server).toMatchObject({
      name: 'Kokoro-FastAPI (found on this machine)',
      transcription_model: null,
      note: 'Found by itself. It works while the server runs.',
    });
    expect(server.voices.map(({ wire_name: wire }) => wire)).toEqual(['af_bella@kokoro', 'zf_xiaoni@kokoro']);
    const spoken = await ctx.db.em.find(Voice, { providerId: server.id });
    expect(spoken.every(({ languageId }) => languageId !== null)).toBe(true);
    expect(await ctx.db.em.findOneOrFail(Provider, server.id)).toMatchObject({ convertsSampleRate: false });
    expect(await transcribers()).not.toContain(server.id);
  });

  it.each(['hang', 503] as const)(
    'keeps its voices while their list is not available (%s)',
    async (fault) => {
      const routes: Record<string, Answer> = {
        'GET /v1/models': KOKORO_MODELS,
        'GET /v1/audio/voices': { voices: ['af_bella'] },
      };
      const { found } = await setup(routes);
      const { voices } = await found();
      routes['GET /v1/audio/voices'] = fault;
      const note = 'Found by itself. It works while the server runs. It did not list its voices in time.';
      expect(await found()).toMatchObject({ voices, note });
    },
  );

  it.each([404, '<html>', { voices: 'many' }])('that lists no voices (%j) says so', async (answer) => {
    const { found } = await setup({
      'GET /v1/models': { data: [{ id: 'tts-1', task: 7, sample_rate: 'fast' }] },
      'GET /v1/audio/voices': answer,
    });
    expect(await found()).toMatchObject({
      name: 'Speech server (found on this machine)',
      voices: [],
      note: expect.stringContaining('It lists no voices of tts-1. Enter those that you know as voice@model.'),
    });
  });
});

describe('a server that lists a model by the name of one that transcribes', () => {
  const models = { data: [{ id: 'llama3' }, { id: 'whisper-large-v3' }] };

  it.each([
    ['transcribes if it refuses an empty request', 422, 'whisper-large-v3', ''],
    ['does not without the endpoint', 404, null, ': it has no /v1/audio/transcriptions.'],
    ['says so later if it hangs', 'hang' as const, null, 'It did not say in time whether it transcribes.'],
  ])('%s', async (_name, answer, transcriptionModel, note) => {
    const { found, transcribers } = await setup({
      'GET /v1/models': models,
      'POST /v1/audio/transcriptions': answer,
    });
    const server = await found();
    expect(server).toMatchObject({
      transcription_model: transcriptionModel,
      note: expect.stringContaining(note),
    });
    expect(server.models.map(({ wire_name: wire }) => wire)).toEqual(['llama3']);
    expect((await transcribers()).includes(server.id)).toBe(transcriptionModel !== null);
  });
});

it('a server of language models only is not asked to transcribe', async () => {
  const { found, transcribers, asked } = await setup({ 'GET /v1/models': { data: [{ id: 'llama3' }] } });
  const server = await found();
  expect(server.note).toContain('It neither transcribes nor speaks');
  expect(await transcribers()).not.toContain(server.id);
  expect(asked).toEqual(['GET /v1/models']);
});

it('the own server of Piper is shown with the reason why it cannot be used', async () => {
  const voices = { 'en_US-lessac-medium': { audio: { sample_rate: 22_050 }, espeak: { voice: 'en-us' } } };
  const { found, transcribers } = await setup({ 'GET /voices': voices }, 'Piper');
  const server = await found();
  expect(server).toMatchObject({ name: 'Piper (found on this machine)', models: [], voices: [] });
  expect(server.note).toContain('cannot be used: this server of Piper has a protocol of its own');
  expect(await transcribers()).not.toContain(server.id);
});

it.each([403, '<html>', 'hang', {}, { a: 1 }, [1]] as const)(
  'another program on the port of Piper (%j) is not shown',
  async (answer) => {
    const { look, provider } = await setup({ 'GET /v1/models': 403, 'GET /voices': answer }, 'Piper');
    await look();
    expect(await provider()).toBeUndefined();
  },
);
