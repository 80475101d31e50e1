import { MAX_ASSISTANT_VERSIONS, updateAssistantBody, type AssistantSettings } from '@parley/contracts';
import { Assistant, AssistantVersion } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeAssistant, makeContext, makeNumber, makeUser } from '../../test/arrange.ts';
import { openTools } from '../tools/assistant-tools.ts';
import { removeNumber } from '../trunks/remove-line.ts';
import { createToken } from '../users/create-token.ts';
import {
  findAssistantVersion,
  listAssistantVersions,
  restoreAssistantVersion,
} from './assistant-versions.ts';
import { copyAssistant } from './copy-assistant.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { findAssistant } from './find-assistant.ts';
import { switchWebhook } from './switch-webhooks.ts';
import { updateAssistant } from './update-assistant.ts';

const database = useTestDatabase();

async function setup(fields: Record<string, unknown> = {}) {
  const { ctx, clock } = makeContext(database.db);
  const identity = await makeUser(ctx);
  const { id } = await makeAssistant(ctx, identity, fields);
  const change = (body: unknown, who = identity) =>
    updateAssistant(ctx, who, { id, changes: updateAssistantBody.parse(body) });
  const restore = (version: number, settings?: (keyof AssistantSettings)[]) =>
    restoreAssistantVersion(ctx, identity, { id, version, settings });
  const list = () => listAssistantVersions(ctx, identity, id);
  const read = async (version: number) => {
    const { settings } = await findAssistantVersion(ctx, identity, { id, version });
    return settings;
  };
  const storedTools = async () => (await ctx.db.em.findOneOrFail(Assistant, { id })).tools;
  return { ctx, clock, identity, id, change, restore, list, read, storedTools };
}

const HEADER = { name: 'Authorization', value: 'Bearer first' };
const TOOL = { type: 'http_request', name: 'look_up', description: 'Looks up.', url: 'https://shop.example' };

describe('versions of an assistant', () => {
  it('are made by every change of a setting, with who changed what and when', async () => {
    const { ctx, clock, identity, id, change, list } = await setup();
    const token = await createToken(ctx, { userId: identity.userId, name: 'Script' });
    clock.advance(1000);
    await change({ assistant_name: 'Berta', max_call_duration: 77 }, { ...identity, tokenId: token.id });
    await change({ assistant_name: 'Berta' });
    await switchWebhook(ctx, identity, { assistantId: id, webhookUrl: 'https://owner.example/hook' });
    const none = { token_id: null, token_name: null, restored_version: null };
    expect(await list()).toEqual([
      {
        ...none,
        version: 3,
        created_at: '2026-01-01T00:00:01.000000Z',
        changed_settings: ['is_webhook_active', 'webhook_url'],
      },
      {
        ...none,
        version: 2,
        created_at: '2026-01-01T00:00:01.000000Z',
        token_id: token.id,
        token_name: 'Script',
        changed_settings: ['name', 'max_duration'],
      },
      { ...none, version: 1, created_at: '2026-01-01T00:00:00.000000Z', changed_settings: [] },
    ]);
  });

  it('have the settings of their time', async () => {
    const { ctx, identity, id, change, read } = await setup({
      variables: { b: 1, a: 2 },
      system_prompt: 'One.',
    });
    await change({ system_prompt: 'Two.', variables: { a: 2, b: 1 } });
    await change({ variables: { c: 3 } });
    await change({ system_prompt: 'Three.' });
    expect(await read(1)).toMatchObject({ system_prompt: 'One.', variables: { a: 2, b: 1 } });
    expect(await read(2)).toMatchObject({ system_prompt: 'Two.', variables: { a: 2, b: 1 } });
    expect(await read(3)).toMatchObject({ system_prompt: 'Two.', variables: { c: 3 } });
    expect(await findAssistant(ctx, identity, id)).toMatchObject(await read(4));
  });

  it('begin with the state before the first change where there are none yet', async () => {
    const { ctx, id, change, list, read } = await setup({ system_prompt: 'One.' });
    await ctx.db.transaction(({ em }) => em.nativeDelete(AssistantVersion, { assistantId: id }));
    await change({ system_prompt: 'Two.' });
    expect((await list()).map(({ version }) => version)).toEqual([2, 1]);
    expect(await read(1)).toMatchObject({ system_prompt: 'One.' });
  });

  it('are dropped from the oldest, and the rest is what it was', async () => {
    const { ctx, id, change, list, read } = await setup({ max_call_duration: 1000 });
    await change({ max_call_duration: 1001 });
    await change({ max_call_duration: 1002 });
    const [last, later] = [{ assistantId: id, version: 3 }, { version: MAX_ASSISTANT_VERSIONS + 1 }];
    await ctx.db.transaction(({ em }) => em.nativeUpdate(AssistantVersion, last, later));
    await change({ max_call_duration: 1003 });
    const kept = [MAX_ASSISTANT_VERSIONS + 2, MAX_ASSISTANT_VERSIONS + 1];
    expect((await list()).map(({ version }) => version)).toEqual(kept);
    expect(await read(MAX_ASSISTANT_VERSIONS + 1)).toMatchObject({ max_duration: 1002 });
    await expect(read(1)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('are gone with the assistant, and are those of their owner only', async () => {
    const { ctx, identity, id, list } = await setup();
    const stranger = await makeUser(ctx);
    await expect(listAssistantVersions(ctx, stranger, id)).rejects.toMatchObject({ kind: 'not-found' });
    const wanted = { id, version: 1 };
    await expect(findAssistantVersion(ctx, stranger, wanted)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(restoreAssistantVersion(ctx, stranger, wanted)).rejects.toMatchObject({ kind: 'not-found' });
    await deleteAssistant(ctx, identity, id);
    await expect(list()).rejects.toMatchObject({ kind: 'not-found' });
    expect(await ctx.db.em.count(AssistantVersion, { assistantId: id })).toBe(0);
  });

  it('of a copy begin anew', async () => {
    const { ctx, identity, id, change } = await setup();
    await change({ max_call_duration: 77 });
    const copy = await copyAssistant(ctx, identity, { id, name: 'A variant' });
    const versions = await listAssistantVersions(ctx, identity, copy.id);
    expect(versions.map(({ version }) => version)).toEqual([1]);
  });
});

describe('restoring a version', () => {
  it('brings all settings back, and makes a new version', async () => {
    const { ctx, identity, id, change, restore, list, read } = await setup({ system_prompt: 'One.' });
    await change({ system_prompt: 'Two.', assistant_name: 'Berta', filler_config: { neutral: ['Hm.'] } });
    const restored = await restore(1);
    expect(restored).toMatchObject(await read(1));
    expect(restored).toEqual(await findAssistant(ctx, identity, id));
    const changed = ['name', 'filler_config', 'system_prompt'];
    expect((await list())[0]).toMatchObject({ version: 3, restored_version: 1, changed_settings: changed });
    // Nothing is left to restore.
    await restore(1);
    expect(await list()).toHaveLength(3);
  });

  it('brings back what was asked for only', async () => {
    const { change, restore } = await setup({ system_prompt: 'One.', max_call_duration: 60 });
    await change({ system_prompt: 'Two.', max_call_duration: 77 });
    expect(await restore(1, ['max_duration'])).toMatchObject({ system_prompt: 'Two.', max_duration: 60 });
  });

  it('brings back the headers of tools, whose values are never shown', async () => {
    const { ctx, change, restore, read, storedTools } = await setup({
      tools: [{ ...TOOL, headers: [HEADER] }],
    });
    await change({ tools: [{ ...TOOL, headers: [{ ...HEADER, value: 'Bearer second' }] }] });
    await change({ tools: [], system_prompt: 'Two.' });
    expect(JSON.stringify(await read(1))).not.toMatch(/Bearer|v1\./);
    await restore(1, ['system_prompt']);
    expect(await storedTools()).toEqual([]);
    const restored = await restore(1);
    expect(restored.tools).toMatchObject([
      { data: { headers: [{ name: 'Authorization', has_value: true }] } },
    ]);
    const opened = openTools(ctx.secretBox, await storedTools());
    expect(opened).toMatchObject([{ name: 'look_up', headers: [HEADER] }]);
  });

  it('is refused for what does not exist any more, and possible for the rest', async () => {
    const about = await setup();
    const { ctx, identity, change, restore } = about;
    const numberId = await makeNumber({ ctx, identity });
    await change({ phone_number_id: numberId });
    await change({ phone_number_id: null, system_prompt: 'Two.' });
    await removeNumber(ctx, identity, numberId);
    await expect(restore(2)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { phone_number_id: ['The selected phone number id is invalid.'] },
    });
    await expect(restore(2, ['system_prompt'])).resolves.toMatchObject({ phone_number_id: null });
    await expect(restore(99)).rejects.toMatchObject({ kind: 'not-found', message: 'Version not found' });
  });
});
