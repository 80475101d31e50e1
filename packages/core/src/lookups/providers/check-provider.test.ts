import { newProviderBody } from '@parley/contracts';
import { startWebhookReceiver, useTestDatabase } from '@parley/testkit';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../../test/arrange.ts';
import type { Identity } from '../../users/identity.ts';
import { checkProvider } from './check-provider.ts';
import { createProvider, listProviders } from './providers.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });

/** An account whose provider is a server of the test's own. */
async function setup(fields: Record<string, unknown> = {}) {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const server = await startWebhookReceiver();
  undo.push(() => server.close());
  server.answerNext(json({ voices: [] }));
  const { id } = await createProvider(
    ctx,
    operator,
    newProviderBody.parse({
      name: `Voices ${randomUUID().slice(0, 8)}`,
      kind: 'elevenlabs',
      base_url: new URL(server.url).origin,
      api_key: 'k',
      ...fields,
    }),
  );
  const find = async () => (await listProviders(ctx, operator)).find((one) => one.id === id);
  return { ctx, operator, server, id, find, check: () => checkProvider(ctx, operator, id) };
}

describe('a check of a provider', () => {
  it('brings the lists of one that has any', async () => {
    const { server, check, find } = await setup();
    const voices = ['Ann', 'Bob'].map((name) => ({ voice_id: `id-${name}`, name }));
    server.answerNext(json({ voices: [] }), json({ voices, has_more: false }));
    const checked = await check();
    expect(checked).toMatchObject({ note: null, refreshed_at: expect.any(String) as string });
    expect(checked.voices.map(({ wire_name }) => wire_name)).toEqual(['id-Ann', 'id-Bob']);
    expect(await find()).toEqual(checked);
  });

  it('says that the key is refused, and the account says so until it is right again', async () => {
    const { server, check, find } = await setup();
    const refusal = 'The provider refuses its key. It answered with the status 401.';
    server.answerNext(json({}, 401));
    await expect(check()).rejects.toMatchObject({ kind: 'invalid', message: refusal, fields: {} });
    expect((await find())?.note).toBe(refusal);
    server.answerNext(json({ voices: [] }), json({ voices: [], has_more: false }));
    expect((await check()).note).toBeNull();
  });

  it('of one that cannot be asked leaves its lists, and a note', async () => {
    const { server, check } = await setup();
    server.answerNext(json({}, 503));
    expect((await check()).note).toBe('The last check said nothing: It answered with the status 503.');
    expect(server.requests).toHaveLength(2);
  });

  it('of a server without a key is asked without one', async () => {
    const { server, check } = await setup({ kind: 'openai-compatible', api_key: null });
    expect(server.requests).toHaveLength(0);
    expect((await check()).note).toBeNull();
    expect(server.requests).toMatchObject([{ path: '/models' }]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    server.answerNext(json({}, 401));
    await expect(check()).rejects.toMatchObject({
      message: 'The provider wants a key. It answered with the status 401.',
    });
  });
});

describe('who may check what', () => {
  it('members may not, and a provider that is none is not found', async () => {
    const { ctx, operator, id } = await setup();
    const member: Identity = { ...operator, role: 'member' };
    await expect(checkProvider(ctx, member, id)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(checkProvider(ctx, operator, 999_999)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('the built-in one has nothing to check', async () => {
    const { ctx, operator } = await setup();
    const builtIn = (await listProviders(ctx, operator)).find(({ kind }) => kind === 'built-in');
    await expect(checkProvider(ctx, operator, builtIn?.id ?? 0)).rejects.toMatchObject({ kind: 'conflict' });
  });
});
