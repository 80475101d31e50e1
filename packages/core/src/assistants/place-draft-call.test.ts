import { updateAssistantBody } from '@parley/contracts';
import { Provider, statement, Voice } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, makeAssistant, makeNumber, makeUser } from '../../test/arrange.ts';
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { findCall } from '../calls/find-call.ts';
import { claimWebCall } from '../lifecycle/claim-web-call.ts';
import { placeWebCall } from '../lifecycle/place-web-call.ts';
import { addProvider } from '../lookups/add-provider.ts';
import { findAssistant } from './find-assistant.ts';
import { placeDraftCall } from './place-draft-call.ts';
import { updateAssistant } from './update-assistant.ts';

const database = useTestDatabase();

const selectConfiguration = statement<{ configuration: CallConfiguration }>(
  '',
  'select configuration from calls where id = $1',
);

async function setup(fields: Record<string, unknown> = {}) {
  const about = await arrange(database.db, fields);
  const { ctx, identity, assistant, fence } = about;
  const talk = (body: unknown, who = identity, assistantId = assistant.id) =>
    placeDraftCall(ctx, who, { assistantId, changes: updateAssistantBody.parse(body) });
  const save = (body: unknown) =>
    updateAssistant(ctx, identity, { id: assistant.id, changes: updateAssistantBody.parse(body) });
  const configurationOf = async (callId: number) => {
    const [row] = await ctx.db.query(selectConfiguration, [callId]);
    return row?.configuration;
  };
  const claim = (ticket: string) => claimWebCall(ctx, { ticket, voiceProcess: fence });
  return {
    ...about,
    talk,
    save,
    configurationOf,
    claim,
    read: () => findAssistant(ctx, identity, assistant.id),
  };
}

describe('a call with a draft', () => {
  it('is held with the draft, and the stored assistant stays as it was', async () => {
    const { ctx, identity, assistant, talk, claim, read, clock } = await setup({
      variables: { a: 'stored' },
    });
    const before = await read();
    clock.advance(1000);
    const { callId, ticket } = await talk({
      initial_message: 'From the draft',
      language: 'german',
      variables: { a: 'drafted' },
    });
    expect(await claim(ticket)).toMatchObject({
      callId,
      assistant: { id: assistant.id, initialMessage: 'From the draft', systemPrompt: before.system_prompt },
      language: { name: 'German', iso2: 'de' },
      variables: { a: 'drafted' },
    });
    expect(await read()).toEqual(before);
    const next = await placeWebCall(ctx, identity, { assistantId: assistant.id });
    expect((await claim(next.ticket))?.assistant.initialMessage).toBe(before.initial_message);
  });

  it('has the variables of the request, which replace those of the draft', async () => {
    const { ctx, identity, assistant, claim } = await setup();
    const { ticket } = await placeDraftCall(ctx, identity, {
      assistantId: assistant.id,
      changes: { variables: { name: 'Bo', city: 'Bonn' } },
      variables: { name: 'Ada' },
    });
    expect((await claim(ticket))?.variables).toMatchObject({ name: 'Ada', city: 'Bonn' });
  });

  it('names the changed settings in its timeline', async () => {
    const { ctx, identity, assistant, talk } = await setup();
    const { callId } = await talk({ assistant_name: 'Berta', initial_message: 'Hi' });
    const { events } = await findCall(ctx, identity, callId);
    expect(events).toMatchObject([
      { type: 'initiated' },
      { type: 'draft_used', detail: { settings: ['initial_message', 'name'] } },
    ]);
    const plain = await placeWebCall(ctx, identity, { assistantId: assistant.id });
    expect((await findCall(ctx, identity, plain.callId)).events).toMatchObject([{ type: 'initiated' }]);
  });

  it('without changes has the same configuration as one without a draft', async () => {
    const { ctx, identity, assistant, talk, configurationOf } = await setup({
      llm_temperature: 0.123456789,
      tools: [{ type: 'end_call', description: 'Soon.' }],
    });
    const plain = await placeWebCall(ctx, identity, { assistantId: assistant.id });
    const drafted = await talk({});
    expect(await configurationOf(drafted.callId)).toEqual(await configurationOf(plain.callId));
  });

  it('has the configuration that it would have had after saving', async () => {
    const { ctx, identity, assistant, talk, save, configurationOf } = await setup();
    const target = await makeAssistant(ctx, identity, { assistant_name: 'Colleague' });
    const transfer = { type: 'assistant_transfer', name: 'hand_over', description: 'To a colleague.' };
    const changes = {
      speech_speed: 1.1,
      max_call_duration: 90,
      tools: [{ ...transfer, assistant_id: target.id }],
      fillers: true,
      filler_config: { positive: ['Yes!'] },
      opt_out_key: '9',
    };
    const drafted = await talk(changes);
    await save(changes);
    const saved = await placeWebCall(ctx, identity, { assistantId: assistant.id });
    const configuration = await configurationOf(drafted.callId);
    expect(configuration).toEqual(await configurationOf(saved.callId));
    expect(configuration?.others?.map((other) => other.assistant.name)).toEqual(['Colleague']);
  });
});

describe('a draft that could not be saved', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a voice that is none', { voice_id: 999_999 }],
    ['a mode the voice does not have', { engine_type: 'multimodal' }],
    ['a language that is none', { language: 'Klingon' }],
    ['a model that is none', { llm_model: 'none' }],
    ['several faults', { voice_id: 999_999, is_webhook_active: true, phone_number_id: 999_999 }],
    ['an unknown folder', { folder_id: 999_999 }],
    ['a disclosure in a language that nothing speaks', { disclosure_message: 'Hi', mode: 'multimodal' }],
    ['a script with an error', { system_prompt: '#script\nnonsense' }],
    [
      'a tool that refers to nothing',
      { tools: [{ type: 'assistant_transfer', name: 'x', description: 'x', assistant_id: 999_999 }] },
    ],
  ])('is refused with the same messages: %s', async (_what, body) => {
    const { talk, save } = await setup();
    const saving: unknown = await save(body).catch((error: unknown) => error);
    const { fields } = saving as { fields: object };
    expect(Object.keys(fields)).not.toEqual([]);
    await expect(talk(body)).rejects.toMatchObject({ kind: 'invalid', message: 'Validation failed', fields });
  });

  it('is refused when the assistant is inactive with it, and accepted when it is active with it', async () => {
    const { talk, save } = await setup();
    await expect(talk({ status: 'inactive' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { assistant_id: ['The assistant is not active.'] },
    });
    await save({ status: 'inactive' });
    await expect(talk({ status: 'active' })).resolves.toBeDefined();
  });
});

describe('a draft of another user', () => {
  it("cannot be of this user's assistant", async () => {
    const { ctx, talk } = await setup();
    const stranger = await makeUser(ctx);
    const notFound = { kind: 'not-found', message: 'Assistant not found' };
    await expect(talk({ initial_message: 'Mine' }, stranger)).rejects.toMatchObject(notFound);
    await expect(talk({}, undefined, 999_999)).rejects.toMatchObject(notFound);
  });

  it("cannot use this user's providers, numbers, assistants and folders", async () => {
    const owner = await setup();
    const { ctx, identity } = owner;
    const provider = await addProvider(ctx, {
      name: 'Private',
      kind: 'deepgram',
      models: [{ name: 'Private model', wireName: 'm' }],
      voices: [{ name: 'Private voice', wireName: 'v' }],
    });
    const voiceId = await ctx.db.transaction(async ({ em }) => {
      await em.nativeUpdate(Provider, { id: provider.id }, { userId: identity.userId });
      await em.nativeUpdate(Voice, { providerId: provider.id }, { userId: identity.userId });
      return (await em.findOneOrFail(Voice, { providerId: provider.id })).id;
    });
    const number = await makeNumber(owner);
    const stranger = await setup();
    const refused: [Record<string, unknown>, string][] = [
      [{ transcriber_provider_id: provider.id }, 'transcriber_provider_id'],
      [{ voice_id: voiceId }, 'voice_id'],
      [{ llm_model: 'Private model' }, 'llm_model'],
      [{ fallback_llm_models: ['Private model'] }, 'fallback_llm_models'],
      [{ phone_number_id: number }, 'phone_number_id'],
      [
        {
          tools: [
            {
              type: 'assistant_transfer',
              name: 'x',
              description: 'x',
              assistant_id: owner.assistant.id,
            },
          ],
        },
        'tools.0.assistant_id',
      ],
    ];
    for (const [body, field] of refused)
      await expect(stranger.talk(body)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { [field]: [expect.any(String)] },
      });
  });
});
