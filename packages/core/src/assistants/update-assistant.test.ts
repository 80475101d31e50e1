import { updateAssistantBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrange,
  claimDelivery,
  endOf,
  makeAnsweredCall,
  makeAssistant,
  makeContext,
  makeNumber,
  makeUser,
} from '../../test/arrange.ts';
import { addProvider } from '../lookups/add-provider.ts';
import { completeCall } from '../lifecycle/complete-call.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { findAssistant } from './find-assistant.ts';
import { switchInboundWebhook, switchWebhook } from './switch-webhooks.ts';
import { updateAssistant } from './update-assistant.ts';

const database = useTestDatabase();

/** Settings that only the record of a single assistant has. */
const OWN_DEFAULTS = {
  initial_message_delay: 1,
  initial_message_interruptible: true,
  opt_out_key: null,
  redact: [],
  disclosure_message: null,
  folder_id: null,
  label_ids: [],
  tool_ids: [],
  fallback_llm_models: [],
  conversation_ended_webhook_url: null,
  conversation_inactivity_timeout: 30,
  conversation_ended_retrigger: false,
};

const HOOK = 'https://owner.test/hook';

async function setup(fields: Record<string, unknown> = {}) {
  const { ctx, clock } = makeContext(database.db);
  const identity = await makeUser(ctx);
  const made = await makeAssistant(ctx, identity, fields);
  const change = (body: unknown, id = made.id, who = identity) =>
    updateAssistant(ctx, who, { id, changes: updateAssistantBody.parse(body) });
  return { ctx, clock, identity, made, change, read: () => findAssistant(ctx, identity, made.id) };
}

describe('changing an assistant', () => {
  it('leaves everything as it is that was not sent', async () => {
    const { made, change, clock, read } = await setup({
      variables: { a: 1 },
      webhook_url: HOOK,
      is_webhook_active: true,
      'end_call_tool.description': 'At the end.',
      filler_config: { neutral: ['Hm.'] },
      llm_temperature: 0.123456789,
    });
    clock.advance(1000);
    const changed = await change({ assistant_name: 'Berta' });
    expect(changed).toEqual({ ...made, name: 'Berta', updated_at: '2026-01-01T00:00:01.000000Z' });
    expect(await read()).toEqual({ ...changed, ...OWN_DEFAULTS });
  });

  it('takes models of its owner that replace the model, and refuses others', async () => {
    const { ctx, identity, change, read, made } = await setup();
    const named = (name: string) => ({
      name,
      kind: 'openai' as const,
      models: [{ name, wireName: name }],
      voices: [],
    });
    await addProvider(ctx, named('first'));
    await addProvider(ctx, named('second'));
    await change({ fallback_llm_models: ['second', 'first'] });
    expect((await read()).fallback_llm_models).toEqual(['second', 'first']);
    const frozen = await freezeConfiguration(ctx.db, { assistantId: made.id, userId: identity.userId });
    expect(frozen?.fallbackModels?.map(({ name }) => name)).toEqual(['second', 'first']);
    for (const name of ['none', 'Scripted dialogue (built in)'])
      await expect(change({ fallback_llm_models: [name] })).rejects.toMatchObject({
        fields: { fallback_llm_models: expect.any(Array) as string[] },
      });
  });

  it('takes a transcriber that hears, and gives it back', async () => {
    const { ctx, change } = await setup();
    const add = (kind: 'deepgram' | 'elevenlabs') =>
      addProvider(ctx, { name: kind, kind, models: [], voices: [] });
    const [recogniser, voice] = [await add('deepgram'), await add('elevenlabs')];
    expect(await change({ transcriber_provider_id: recogniser.id })).toMatchObject({
      transcriber_provider_id: recogniser.id,
    });
    await expect(change({ transcriber_provider_id: voice.id })).rejects.toMatchObject({
      fields: { transcriber_provider_id: ['The selected transcriber provider id is invalid.'] },
    });
    expect(await change({ transcriber_provider_id: null })).toMatchObject({ transcriber_provider_id: null });
  });

  it('replaces lists and objects as a whole, but the filler lists one by one', async () => {
    const { made, change } = await setup({ variables: { a: 1, b: 2 } });
    const changed = await change({
      variables: { c: 3 },
      post_call_schema: [],
      tools: [{ type: 'end_call', description: 'Soon.' }],
      filler_config: { positive: ['Yes!'] },
    });
    expect(changed).toMatchObject({
      variables: { c: 3 },
      post_call_schema: [],
      tools: [{ type: 'end_call', data: { description: 'Soon.' } }],
    });
    expect(changed.filler_config).toEqual({ ...made.filler_config, positive: ['Yes!'] });
  });

  it('takes back what was read', async () => {
    const { made, change, read } = await setup({ 'end_call_tool.description': 'At the end.' });
    await change(made);
    expect(await read()).toEqual({ ...made, ...OWN_DEFAULTS });
  });

  it('finds what is named anew: voice, language by name, model by id', async () => {
    const { made, change } = await setup();
    const changed = await change({ language: 'german', llm_model_id: made.llm_model_id });
    expect(changed).toMatchObject({ language: 'German', llm_model_id: made.llm_model_id });
    expect(changed.language_id).not.toBe(made.language_id);
    // Only supplied fields change, so the fillers stay those of the language it was made in.
    expect(changed.filler_config).toEqual(made.filler_config);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a voice that is none', { voice_id: 999_999 }, 'voice_id'],
    ['a mode the voice does not have', { engine_type: 'multimodal' }, 'voice_id'],
    ['a language that is none', { language: 'Klingon' }, 'language'],
    ['a language id that is none', { language_id: 999_999 }, 'language_id'],
    ['a model that is none', { llm_model: 'none' }, 'llm_model'],
    ['a model id that is none', { llm_model_id: 999_999 }, 'llm_model_id'],
    ['a number that is none', { phone_number_id: 999_999 }, 'phone_number_id'],
    ['an active webhook without an address', { is_webhook_active: true }, 'webhook_url'],
    [
      'an active webhook that loses its address',
      { is_webhook_active: true, webhook_url: null },
      'webhook_url',
    ],
  ])('refuses %s, and changes nothing', async (_what, body, field) => {
    const { made, change, read } = await setup();
    await expect(change({ name: 'Changed', ...body })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Validation failed',
      fields: { [field]: [expect.any(String)] },
    });
    expect(await read()).toEqual({ ...made, ...OWN_DEFAULTS });
  });

  it('tells all of that together', async () => {
    const { change } = await setup();
    const attempt = change({ voice_id: 999_999, is_webhook_active: true });
    await expect(attempt).rejects.toMatchObject({
      fields: {
        voice_id: ['The selected voice id is invalid.'],
        webhook_url: ['The webhook url field is required when is webhook active is true.'],
      },
    });
  });

  it("answers the same for another user's assistant, a missing one and a deleted one", async () => {
    const { ctx, identity, made, change } = await setup();
    const stranger = await makeUser(ctx);
    const notFound = { kind: 'not-found', message: 'Assistant not found' };
    await expect(change({ name: 'x' }, made.id, stranger)).rejects.toMatchObject(notFound);
    await expect(change({ name: 'x' }, 999_999)).rejects.toMatchObject(notFound);
    await deleteAssistant(ctx, identity, made.id);
    await expect(change({ name: 'x' })).rejects.toMatchObject(notFound);
  });

  it('done twice at once, with different fields, keeps both', async () => {
    const { change, read } = await setup();
    await Promise.all([change({ name: 'Both' }), change({ system_prompt: 'of them' })]);
    expect(await read()).toMatchObject({ name: 'Both', system_prompt: 'of them' });
  });
});

describe('the number of an assistant', () => {
  it('is given back with null, and stays when it is not mentioned', async () => {
    const about = await setup();
    const number = await makeNumber(about);
    expect(await about.change({ phone_number_id: number })).toMatchObject({ phone_number_id: number });
    expect(await about.change({ name: 'Other' })).toMatchObject({ phone_number_id: number });
    expect(await about.change({ phone_number_id: null })).toMatchObject({ phone_number_id: null });
  });

  it('may be sent again by the inbound assistant that has it, and be taken by no other', async () => {
    const about = await setup({ calls_direction: 'receive' });
    const number = await makeNumber(about);
    await about.change({ phone_number_id: number });
    expect(await about.change({ phone_number_id: number })).toMatchObject({ phone_number_id: number });
    const second = await makeAssistant(about.ctx, about.identity, { calls_direction: 'receive' });
    await expect(about.change({ phone_number_id: number }, second.id)).rejects.toMatchObject({
      fields: { phone_number_id: ['The selected phone number id is invalid.'] },
    });
    await about.change({ phone_number_id: null });
    expect(await about.change({ phone_number_id: number }, second.id)).toMatchObject({
      phone_number_id: number,
    });
  });

  it('that is for caller ID only keeps its assistant from becoming inbound', async () => {
    const about = await setup();
    await about.change({ phone_number_id: await makeNumber(about, 'Caller ID') });
    await expect(about.change({ calls_direction: 'receive' })).rejects.toMatchObject({
      fields: { phone_number_id: ['The selected phone number id is invalid.'] },
    });
    expect(await about.change({ calls_direction: 'receive', phone_number_id: null })).toMatchObject({
      type: 'inbound',
      phone_number_id: null,
    });
  });

  it('is assigned to one of two concurrent requests', async () => {
    const about = await setup({ calls_direction: 'receive' });
    const second = await makeAssistant(about.ctx, about.identity, { calls_direction: 'receive' });
    const number = await makeNumber(about);
    const results = await Promise.allSettled(
      [about.made.id, second.id].map((id) => about.change({ phone_number_id: number }, id)),
    );
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ fields: { phone_number_id: [expect.any(String)] } });
  });
});

describe('the webhook of an assistant', () => {
  it('is switched off and on again with the address that is stored', async () => {
    const { change } = await setup({ is_webhook_active: true, webhook_url: HOOK });
    expect(await change({ is_webhook_active: false })).toMatchObject({
      is_webhook_active: false,
      webhook_url: HOOK,
    });
    expect(await change({ is_webhook_active: true })).toMatchObject({
      is_webhook_active: true,
      webhook_url: HOOK,
    });
  });

  it.each([null, ''])('is removed with the address %j', async (webhook_url) => {
    const { change } = await setup({ is_webhook_active: true, webhook_url: HOOK });
    expect(await change({ webhook_url })).toMatchObject({ is_webhook_active: false, webhook_url: null });
  });

  it('is removed and set by the operations made for it', async () => {
    const { ctx, identity, made, read } = await setup({ is_webhook_active: true, webhook_url: HOOK });
    await switchWebhook(ctx, identity, { assistantId: made.id, webhookUrl: null });
    expect(await read()).toMatchObject({ is_webhook_active: false, webhook_url: null });
    await switchWebhook(ctx, identity, { assistantId: made.id, webhookUrl: HOOK });
    expect(await read()).toMatchObject({
      is_webhook_active: true,
      webhook_url: HOOK,
      inbound_webhook_url: null,
    });
  });

  it('for inbound calls is another one', async () => {
    const { ctx, identity, made, read } = await setup({ is_webhook_active: true, webhook_url: HOOK });
    await switchInboundWebhook(ctx, identity, { assistantId: made.id, webhookUrl: `${HOOK}/in` });
    expect(await read()).toMatchObject({ inbound_webhook_url: `${HOOK}/in`, webhook_url: HOOK });
    await switchInboundWebhook(ctx, identity, { assistantId: made.id, webhookUrl: null });
    expect(await read()).toMatchObject({ inbound_webhook_url: null, is_webhook_active: true });
  });

  it.each([switchWebhook, switchInboundWebhook])(
    "%o does not change another user's assistant",
    async (flip) => {
      const { ctx, made, read } = await setup({ is_webhook_active: true, webhook_url: HOOK });
      const stranger = await makeUser(ctx);
      await expect(flip(ctx, stranger, { assistantId: made.id, webhookUrl: null })).rejects.toMatchObject({
        kind: 'not-found',
        message: 'Assistant not found',
      });
      expect(await read()).toEqual({ ...made, ...OWN_DEFAULTS });
    },
  );

  it.each([
    ['the operation made for it', null],
    ['an update', { is_webhook_active: false }],
  ])(
    'that is switched off by %s is not sent what waited, also not once it is on again',
    async (_how, body) => {
      const about = await arrange(database.db, { is_webhook_active: true, webhook_url: HOOK });
      const { ctx, identity, assistant } = about;
      const callId = await makeAnsweredCall(about);
      await finishCall(ctx, endOf(about, callId));
      await completeCall(ctx, callId);
      const [delivery] = await ctx.db.query(selectDelivery, [callId]);
      expect(delivery).toMatchObject({ status: 'pending', stage: 'due' });

      const off = { assistantId: assistant.id, webhookUrl: null };
      const update = { id: assistant.id, changes: updateAssistantBody.parse(body ?? {}) };
      await (body ? updateAssistant(ctx, identity, update) : switchWebhook(ctx, identity, off));
      await switchWebhook(ctx, identity, { ...off, webhookUrl: 'https://other.test' });
      expect(await claimDelivery(ctx, delivery?.id ?? '')).toBeNull();
    },
  );
});

const selectDelivery = statement<{ id: string; status: string; stage: string | null }>(
  '',
  'select id, status, stage from deliveries where call_id = $1',
);
