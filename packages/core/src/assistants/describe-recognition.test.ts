import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { statement } from '@parley/db';
import { addProvider, describeRecognition, registerVoiceProcess, updateAssistant } from '../index.ts';
import { arrange, makeUser } from '../../test/arrange.ts';

const database = useTestDatabase();
const dropAll = statement('', 'delete from voice_processes');

/** An installation with one voice process, and without any. */
async function setup() {
  const { ctx, identity, assistant } = await arrange(database.db);
  await ctx.db.query(dropAll);
  const register = (recognisedLanguages: Record<string, string[] | 'any'>) =>
    registerVoiceProcess(ctx, {
      url: 'http://voice.test',
      sipAddress: '127.0.0.1:5060',
      capacity: 1,
      recognition: { detector: 'silero', recognisedLanguages },
    });
  return {
    ctx,
    identity,
    register,
    describe: () => describeRecognition(ctx, identity, assistant.id),
    assistant,
  };
}

it('follows what voice processes say of themselves when they come', async () => {
  const { register, describe } = await setup();
  expect(await describe()).toMatchObject({ by: 'no-voice-process' });
  await register({ 'built-in': [] });
  expect(await describe()).toMatchObject({ by: 'keys' });
  await register({ 'built-in': ['en'] });
  expect(await describe()).toMatchObject({ by: 'built-in', isByLoudness: false });
});

it('follows the providers that the user adds', async () => {
  const { ctx, register, describe } = await setup();
  await register({ 'built-in': ['en'], deepgram: 'any' });
  const account = { name: 'My Deepgram', kind: 'deepgram' as const, apiKey: 'secret' };
  await addProvider(ctx, { ...account, baseUrl: 'http://127.0.0.1:1', models: [], voices: [] });
  expect(await describe()).toMatchObject({ by: 'provider', provider: 'My Deepgram', isCertain: true });
});

it("another user's assistant is not found", async () => {
  const { ctx, assistant } = await setup();
  const stranger = await makeUser(ctx);
  await expect(describeRecognition(ctx, stranger, assistant.id)).rejects.toMatchObject({ kind: 'not-found' });
});

it('names a voice that speaks another language than the assistant', async () => {
  const { describe, ctx, identity, assistant } = await setup();
  expect(await describe()).toMatchObject({ voiceMismatch: null });
  await updateAssistant(ctx, identity, { id: assistant.id, changes: { language: 'German' } });
  const { voiceMismatch } = await describe();
  expect(voiceMismatch).toMatchObject({ speaks: 'English', language: 'German' });
  expect(voiceMismatch?.voice).toMatch(/^Flite/);
});
