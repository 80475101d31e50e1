/** What a voice process learns about a call beside the settings of its assistant. */
import { updateAssistantBody } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeCall } from '../../test/arrange.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { addProvider } from '../lookups/add-provider.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { placeCall } from '../lifecycle/place-call.ts';
import { findCall } from './find-call.ts';
import { loadCallForVoice } from './load-call-for-voice.ts';

const database = useTestDatabase();

test('a call has built-in variables, which the assistant and the request may override', async () => {
  const about = await arrange(database.db, {
    timezone: 'Asia/Tokyo',
    variables: { weekday: 'any day', assistant_name: 'Bo' },
  });
  const { ctx, identity, assistant } = about;
  const phoneNumber = '+12025550147';
  const variables = { assistant_name: 'Cleo' };
  const { callId } = await placeCall(ctx, identity, { phoneNumber, assistantId: assistant.id, variables });
  const call = await loadCallForVoice(ctx, callId);
  expect(call.variables).toMatchObject({
    now: '2026-01-01 09:00',
    today: '2026-01-01',
    timezone: 'Asia/Tokyo',
    weekday: 'any day',
    assistant_name: 'Cleo',
    customer_phone: phoneNumber,
    assistant_phone: '+12025550100',
    call_id: String(callId),
    call_direction: 'outbound',
    campaign_name: '',
    previous_calls: '0',
    last_call_at: '',
  });
  expect(call.callNote).toContain('2026-01-01 09:00 (time zone Asia/Tokyo)');
});

test('earlier conversations of the user with the same number are counted', async () => {
  const about = await arrange(database.db);
  const { ctx, clock, identity, assistant } = about;
  const first = await makeAnsweredCall(about);
  await finishCall(ctx, endOf(about, first));
  const { client_phone_number: phoneNumber } = await findCall(ctx, identity, first);
  clock.advance(86_400_000);
  const { callId } = await placeCall(ctx, identity, { phoneNumber, assistantId: assistant.id });
  const call = await loadCallForVoice(ctx, callId);
  expect(call.variables).toMatchObject({ previous_calls: '1', last_call_at: '2026-01-01 01:00' });
  expect(call.callNote).toContain(': 1, the last one on 2026-01-01 01:00.');
  const unrelated = await loadCallForVoice(ctx, await makeCall(about));
  expect(unrelated.callNote).toContain('There was no earlier conversation with this number.');
});

test('the models that replace the model in the call have the access of their providers', async () => {
  const about = await arrange(database.db);
  const { ctx, identity, assistant } = about;
  const models = [{ name: 'large', wireName: 'large-1' }];
  await addProvider(ctx, { name: 'Models', kind: 'openai', models, voices: [] });
  const changes = updateAssistantBody.parse({ fallback_llm_models: ['large'] });
  await updateAssistant(ctx, identity, { id: assistant.id, changes });
  const { fallbackModels } = await loadCallForVoice(ctx, await makeCall(about));
  expect(fallbackModels).toMatchObject([{ wireName: 'large-1', kind: 'openai', apiKey: null }]);
});
