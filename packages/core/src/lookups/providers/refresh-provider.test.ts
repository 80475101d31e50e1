import { newProviderBody, providerChangesBody } from '@parley/contracts';
import { Language, statement, Voice } from '@parley/db';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAssistant, makeContext, makeUser, waitingJobs } from '../../../test/arrange.ts';
import { listVoices } from '../list-lookups.ts';
import { changeProvider, createProvider, listProviders } from './providers.ts';
import { refreshAllProviders, refreshProvider } from './refresh-provider.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const KEY = 'key-that-nobody-may-see';
const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });

/** An ElevenLabs account whose provider is a server of the test's own. */
async function setup() {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const server = await startWebhookReceiver();
  undo.push(() => server.close());
  const owner = `Voices ${randomUUID().slice(0, 8)}`;
  const add = (fields: Record<string, unknown> = {}) =>
    createProvider(
      ctx,
      operator,
      newProviderBody.parse({
        name: owner,
        kind: 'elevenlabs',
        base_url: new URL(server.url).origin,
        api_key: KEY,
        ...fields,
      }),
    );
  const find = async (id: number) => (await listProviders(ctx, operator)).find((one) => one.id === id);
  const page = (names: readonly string[], next?: string) =>
    json({
      voices: names.map((name) => ({ voice_id: `id-${name}`, name })),
      has_more: next !== undefined,
      next_page_token: next ?? null,
    });
  return { ctx, operator, server, owner, add, find, page };
}

describe('a key is tested when it is saved', () => {
  it('a right one is stored without a note, and its voices are asked for', async () => {
    const { ctx, server, add, page } = await setup();
    server.answerNext(page([]));
    const made = await add();
    expect(made).toMatchObject({ kind: 'elevenlabs', note: null, refreshed_at: null, has_api_key: true });
    expect(server.requests).toMatchObject([
      { method: 'GET', path: '/v2/voices?page_size=1', headers: { 'xi-api-key': KEY } },
    ]);
    expect(await waitingJobs(ctx, 'refresh_provider_voices', { providerId: made.id })).toBe(1);
  });

  it('one that the provider refuses is invalid, and nothing is stored', async () => {
    const { ctx, operator, server, owner, add } = await setup();
    server.answerNext(json({ detail: 'bad key' }, 401));
    await expect(add()).rejects.toMatchObject({
      kind: 'invalid',
      fields: { api_key: ['The provider refuses this key. It answered with the status 401.'] },
    });
    expect((await listProviders(ctx, operator)).map(({ name }) => name)).not.toContain(owner);
  });

  it.each([
    ['cannot be reached', 'disconnect', /^The key is not tested: The connection was closed/],
    ['is out of order', 503, /^The key is not tested: It answered with the status 503\.$/],
  ] as const)('where the provider %s, it is stored with a note', async (_name, answer, note) => {
    const { server, add } = await setup();
    server.answerNext(answer === 'disconnect' ? { behaviour: 'disconnect' } : json({}, answer));
    expect((await add()).note).toMatch(note);
  });

  it('a new one too, and the old one stays when it is refused', async () => {
    const { ctx, operator, server, add, find, page } = await setup();
    server.answerNext(page([]), json({}, 403));
    const { id } = await add();
    const change = changeProvider(ctx, operator, { ...providerChangesBody.parse({ api_key: 'other' }), id });
    await expect(change).rejects.toMatchObject({ fields: { api_key: [expect.any(String)] } });
    expect(await find(id)).toMatchObject({ has_api_key: true, note: null });
    expect(server.requests[1]?.headers['xi-api-key']).toBe('other');
  });

  it('without a key no request is sent', async () => {
    const { server, add } = await setup();
    expect(await add({ api_key: null })).toMatchObject({ has_api_key: false, note: null });
    expect(server.requests).toEqual([]);
  });
});

describe('the voices of a provider', () => {
  it('are taken from all pages, and keep id and name when they are taken again', async () => {
    const { ctx, operator, server, owner, add, find, page } = await setup();
    server.answerNext(page([]), page(['Rachel'], 'two'), page(['Adam']));
    const { id } = await add();
    expect(await refreshProvider(ctx, id)).toBe('done');
    expect(server.requests.slice(1).map(({ path }) => path)).toEqual([
      '/v2/voices?page_size=100',
      '/v2/voices?page_size=100&next_page_token=two',
    ]);
    const first = await find(id);
    expect(first?.voices.map(({ name }) => name)).toEqual([`Rachel (${owner})`, `Adam (${owner})`]);
    expect(first?.refreshed_at).not.toBeNull();
    expect((await listVoices(ctx, operator)).map(({ name }) => name)).toContain(`Rachel (${owner})`);
    server.answerNext(page(['Rachel', 'Adam', 'Eve']));
    expect(await refreshProvider(ctx, id)).toBe('done');
    expect((await find(id))?.voices.slice(0, 2)).toEqual(first?.voices);
  });

  it('stay as they are, and say so, when the list cannot be had', async () => {
    const { ctx, server, add, find, page } = await setup();
    server.answerNext(page([]), page(['Rachel']), json({}, 500), json({ received: true }), json({}, 401));
    const { id } = await add();
    await refreshProvider(ctx, id);
    const before = await find(id);
    expect(await refreshProvider(ctx, id)).toBe('later');
    expect(await find(id)).toEqual({ ...before, note: 'The list is old: It answered with the status 500.' });
    expect(await refreshProvider(ctx, id)).toBe('later');
    expect((await find(id))?.note).toBe('The list is old: Its list could not be read.');
    expect(await refreshProvider(ctx, id)).toBe('refused');
    server.answerNext(page(['Rachel']));
    await refreshProvider(ctx, id);
    expect(await find(id)).toMatchObject({ note: null, voices: before?.voices });
  });

  it.each([
    ['NUL', '\0'],
    ['half a surrogate pair', '\ud800'],
  ])('with %s in a name are left out', async (_what, character) => {
    const { ctx, server, owner, add, find, page } = await setup();
    const listed = page(['Rachel', `A${character}`, 'Adam']);
    server.answerNext(page([]), listed, listed);
    const { id } = await add();
    for (const round of [1, 2]) {
      expect(await refreshProvider(ctx, id), `round ${round}`).toBe('done');
      const voices = (await find(id))?.voices.map(({ name }) => name);
      expect(voices).toEqual([`Rachel (${owner})`, `Adam (${owner})`]);
    }
  });

  it('go when the provider drops them, unless an assistant has them', async () => {
    const { ctx, operator, server, owner, add, find, page } = await setup();
    server.answerNext(page([]), page(['Rachel', 'Adam']), page([]));
    const { id } = await add();
    await refreshProvider(ctx, id);
    const rachel = (await find(id))?.voices[0];
    await makeAssistant(ctx, operator, { voice_id: rachel?.id });
    await refreshProvider(ctx, id);
    expect((await find(id))?.voices).toEqual([
      { id: rachel?.id, name: `Rachel (${owner})`, wire_name: 'id-Rachel' },
    ]);
  });

  it('are of both kinds where the provider has a model that speaks, and each makes assistants of its own', async () => {
    const { ctx, operator, server, owner, add } = await setup();
    server.answerNext(json({ data: [] }), json({ data: [{ id: 'gpt-realtime' }, { id: 'gpt-4o-mini' }] }));
    const { id } = await add({ kind: 'openai' });
    await refreshProvider(ctx, id);
    const named = async (mode: 'pipeline' | 'multimodal', name: string) =>
      (await listVoices(ctx, operator, { mode })).find((voice) => voice.name === `${name} (${owner})`);
    const speaking = await named('multimodal', 'marin, gpt-realtime');
    const reading = await named('pipeline', 'alloy');
    const made = await makeAssistant(ctx, operator, { engine_type: 'multimodal', voice_id: speaking?.id });
    expect(made.mode).toBe('multimodal');
    for (const [engine_type, voice] of [['multimodal', reading] as const, ['pipeline', speaking] as const])
      await expect(makeAssistant(ctx, operator, { engine_type, voice_id: voice?.id })).rejects.toMatchObject({
        fields: { voice_id: ['The selected voice id is invalid.'] },
      });
  });

  it('have the language that the provider states, also those that were stored without one', async () => {
    const { ctx, server, add } = await setup();
    const listed = (...languages: [string, string[]][]) =>
      json({
        tts: languages.map(([name, tags]) => ({ name, canonical_name: `aura-2-${name}`, languages: tags })),
      });
    const voices = async () => {
      const stored = await ctx.db.em.find(Voice, { providerId: id }, { orderBy: { id: 'asc' } });
      return stored.map(({ wireName, languageId }) => [wireName, languageId]);
    };
    const [spanish] = await ctx.db.em.find(Language, { iso2: 'es' });
    server.answerNext(json({}), listed(['celeste', []], ['both', ['en', 'es']], ['odd', ['xx']]));
    const { id } = await add({ kind: 'deepgram' });
    await refreshProvider(ctx, id);
    const unknown = [
      ['aura-2-celeste', null],
      ['aura-2-both', null],
      ['aura-2-odd', null],
    ];
    expect(await voices()).toEqual(unknown);
    server.answerNext(listed(['celeste', ['es', 'es-CO']], ['both', ['en', 'es']], ['odd', ['xx']]));
    await refreshProvider(ctx, id);
    expect(await voices()).toEqual([['aura-2-celeste', spanish?.id], ...unknown.slice(1)]);
  });

  it('stand beside those that an operator writes, and neither removes the other', async () => {
    const { ctx, operator, server, owner, add, find, page } = await setup();
    server.answerNext(page([]), page(['Rachel']), page(['Rachel']));
    const own = `Clone of ${owner}`;
    const { id } = await add({ voices: [{ name: own, wire_name: 'clone' }] });
    await refreshProvider(ctx, id);
    await changeProvider(ctx, operator, {
      ...providerChangesBody.parse({ voices: [{ name: own, wire_name: 'clone-2' }] }),
      id,
    });
    await refreshProvider(ctx, id);
    expect((await find(id))?.voices.map(({ wire_name: wireName }) => wireName).toSorted()).toEqual([
      'clone-2',
      'id-Rachel',
    ]);
  });

  it('of an account whose key was replaced meanwhile decide nothing', async () => {
    const { ctx, server, add, find, page } = await setup();
    server.answerNext(page([]), { behaviour: 'hang' });
    const { id } = await add();
    const replace = statement('', 'update providers set api_key_sealed = $2 where id = $1');
    const refreshing = refreshProvider(ctx, id);
    await server.request(2);
    await ctx.db.query(replace, [id, ctx.secretBox.seal('new key')]);
    await server.close();
    expect(await refreshing).toBe('later');
    expect((await find(id))?.note).toBeNull();
  });

  it('are asked for once a day, for each account that lists any', async () => {
    const { ctx, server, add, page } = await setup();
    server.answerNext(page([]));
    const { id } = await add();
    await ctx.db.query(statement('', 'delete from graphile_worker._private_jobs'));
    await refreshAllProviders(ctx);
    await refreshAllProviders(ctx);
    expect(await waitingJobs(ctx, 'refresh_provider_voices', { providerId: id })).toBe(1);
  });

  it('are removed with their account', async () => {
    const { ctx } = await setup();
    expect(await refreshProvider(ctx, 999_999)).toBe('nothing-to-do');
  });
});
