import { languageRecord, modelRecord, voiceRecord } from '@parley/contracts';
import { randomUUID } from 'node:crypto';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { addProvider } from './add-provider.ts';
import { listLanguages, listModels, listVoices } from './list-lookups.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx } = makeContext(database.db);
  return { ctx, identity: await makeUser(ctx) };
}

describe('the lookups', () => {
  it('have the shape of the specification', async () => {
    const { ctx, identity } = await setup();
    expect(voiceRecord.array().parse(await listVoices(ctx, identity))).toContainEqual(
      expect.objectContaining({ name: 'Flite slt, female (built in)', mode: 'pipeline' }),
    );
    expect(modelRecord.array().parse(await listModels(ctx, identity))).not.toEqual([]);
    expect(languageRecord.array().parse(await listLanguages(ctx, identity))[0]).toMatchObject({
      name: 'English',
      iso_2: 'en',
    });
  });

  it('voices are filtered by mode', async () => {
    const { ctx, identity } = await setup();
    expect(await listVoices(ctx, identity, { mode: 'multimodal' })).toEqual([]);
    expect(await listVoices(ctx, identity, { mode: 'pipeline' })).toEqual(await listVoices(ctx, identity));
  });

  it('a provider brings its models and voices', async () => {
    const { ctx, identity } = await setup();
    const name = randomUUID();
    await addProvider(ctx, {
      name: 'Local server',
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:11434/v1/',
      apiKey: 'sk-local',
      models: [{ name: `model ${name}`, wireName: 'llama' }],
      voices: [{ name: `voice ${name}`, wireName: 'alloy' }],
    });
    expect(await listModels(ctx, identity)).toContainEqual(
      expect.objectContaining({ name: `model ${name}` }),
    );
    expect(await listVoices(ctx, identity)).toContainEqual(
      expect.objectContaining({ name: `voice ${name}` }),
    );
  });

  it('a name that is taken adds nothing at all', async () => {
    const { ctx, identity } = await setup();
    const name = randomUUID();
    const attempt = addProvider(ctx, {
      name,
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1/v1',
      models: [
        { name, wireName: 'a' },
        { name: 'Scripted dialogue (built in)', wireName: 'b' },
      ],
      voices: [],
    });
    await expect(attempt).rejects.toMatchObject({ kind: 'invalid' });
    expect((await listModels(ctx, identity)).map((model) => model.name)).not.toContain(name);
  });
});
