import { newProviderBody, providerChangesBody, providerRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { freshNumber, makeAssistant, makeContext, makeTestLine, makeUser } from '../../../test/arrange.ts';
import { placeCall } from '../../lifecycle/place-call.ts';
import type { Identity } from '../../users/identity.ts';
import { changeProvider, createProvider, listProviders, removeProvider } from './providers.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const member: Identity = { ...(await makeUser(ctx)), role: 'member' };
  const model = `Model ${randomUUID()}`;
  const add = (fields: Record<string, unknown> = {}) =>
    createProvider(
      ctx,
      operator,
      newProviderBody.parse({
        name: 'Local',
        base_url: 'http://127.0.0.1:11434/v1/',
        api_key: 'sk-local',
        models: [{ name: model, wire_name: 'llama' }],
        ...fields,
      }),
    );
  const change = (id: number, fields: Record<string, unknown>) =>
    changeProvider(ctx, operator, { ...providerChangesBody.parse(fields), id });
  return { ctx, operator, member, model, add, change };
}

const keyOf = statement<{ apiKeySealed: string | null }>(
  '',
  'select api_key_sealed from providers where id = $1',
);

describe('providers', () => {
  it('are written with a key that is sealed and never comes back', async () => {
    const { ctx, operator, member, model, add } = await setup();
    const made = await add();
    expect(providerRecord.parse(made)).toMatchObject({
      name: 'Local',
      kind: 'openai-compatible',
      base_url: 'http://127.0.0.1:11434/v1',
      has_api_key: true,
      models: [{ name: model, wire_name: 'llama' }],
      voices: [],
    });
    expect(JSON.stringify(made)).not.toContain('sk-local');
    const [row] = await ctx.db.query(keyOf, [made.id]);
    expect(ctx.secretBox.open(row?.apiKeySealed ?? '')).toBe('sk-local');
    expect(await listProviders(ctx, operator)).toContainEqual(made);
    expect(await listProviders(ctx, member)).toContainEqual({ ...made, base_url: null });
  });

  it('a list that is sent replaces the old one, and what stays keeps its id', async () => {
    const { model, add, change } = await setup();
    const made = await add({ voices: [{ name: `Gone ${model}` }] });
    const changed = await change(made.id, {
      models: [{ name: model, wire_name: 'llama4' }, { name: `${model} large` }],
      voices: [],
    });
    expect(changed.models).toEqual([
      { id: made.models[0]?.id, name: model, wire_name: 'llama4' },
      { id: expect.any(Number) as number, name: `${model} large`, wire_name: `${model} large` },
    ]);
    expect(changed.voices).toEqual([]);
    expect(await change(made.id, { name: 'Renamed' })).toEqual({ ...changed, name: 'Renamed' });
  });

  it('a stored key does not follow to another address', async () => {
    const { ctx, add, change } = await setup();
    const { id } = await add();
    await expect(change(id, { base_url: 'https://elsewhere.example/v1' })).rejects.toMatchObject({
      fields: { api_key: ['The api key field is required when base url is changed.'] },
    });
    await change(id, { base_url: 'http://127.0.0.1:11434/v1/' });
    await change(id, { base_url: 'https://elsewhere.example/v1', api_key: null });
    expect((await ctx.db.query(keyOf, [id]))[0]?.apiKeySealed).toBeNull();
    expect(await change(id, { base_url: 'https://third.example/v1' })).toMatchObject({ has_api_key: false });
  });

  it('names are unique in the installation, and within a list', async () => {
    const { model, add, change } = await setup();
    const made = await add();
    await expect(add()).rejects.toMatchObject({ kind: 'invalid', fields: { models: [expect.any(String)] } });
    await expect(
      change(made.id, { models: [{ name: model }, { name: 'Scripted dialogue (built in)' }] }),
    ).rejects.toMatchObject({ kind: 'invalid' });
    const twice = [{ name: `${model} 2` }, { name: `${model} 2` }];
    await expect(change(made.id, { models: twice })).rejects.toMatchObject({
      fields: { 'models.1.name': ['The models.1.name field has a duplicate value.'] },
    });
  });

  it('what assistants use is kept; after they are deleted it goes', async () => {
    const { ctx, operator, model, add, change } = await setup();
    const { id } = await add();
    const assistant = await makeAssistant(ctx, operator, { llm_model: model });
    const refusal = {
      kind: 'conflict',
      message: 'Assistants or knowledge bases are using a model or a voice of this provider.',
    };
    await expect(removeProvider(ctx, operator, id)).rejects.toMatchObject(refusal);
    await expect(change(id, { models: [] })).rejects.toMatchObject(refusal);
    const forget = statement('', 'update assistants set deleted_at = now() where id = $1');
    await ctx.db.query(forget, [assistant.id]);
    await removeProvider(ctx, operator, id);
    expect((await listProviders(ctx, operator)).map((provider) => provider.id)).not.toContain(id);
  });

  it('what a live call speaks through is kept', async () => {
    const { ctx, operator, model, add } = await setup();
    const { id } = await add();
    await makeTestLine(ctx, operator.userId);
    const assistant = await makeAssistant(ctx, operator, { llm_model: model });
    await placeCall(ctx, operator, { phoneNumber: freshNumber(), assistantId: assistant.id });
    await expect(removeProvider(ctx, operator, id)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'A live call is using this provider.',
    });
  });

  it('the built-in one stays as it is', async () => {
    const { ctx, operator, change } = await setup();
    const builtIn = (await listProviders(ctx, operator)).find(({ kind }) => kind === 'built-in');
    const refusal = {
      kind: 'conflict',
      message: 'The built-in provider can be neither changed nor removed.',
    };
    await expect(change(builtIn?.id ?? 0, { name: 'x' })).rejects.toMatchObject(refusal);
    await expect(removeProvider(ctx, operator, builtIn?.id ?? 0)).rejects.toMatchObject(refusal);
  });

  it('are written by operators only, and only those there are', async () => {
    const { ctx, operator, member, add } = await setup();
    const { id } = await add();
    const refusal = { kind: 'forbidden', message: 'This needs the role "operator".' };
    await expect(changeProvider(ctx, member, { id })).rejects.toMatchObject(refusal);
    await expect(removeProvider(ctx, member, id)).rejects.toMatchObject(refusal);
    const input = newProviderBody.parse({ name: 'x', base_url: 'https://x.example' });
    await expect(createProvider(ctx, member, input)).rejects.toMatchObject(refusal);
    await expect(removeProvider(ctx, operator, 999_999)).rejects.toMatchObject({
      kind: 'not-found',
      message: 'Provider not found',
    });
  });
});
