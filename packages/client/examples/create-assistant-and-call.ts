/**
 * Creates an assistant, places a call with it, and follows the call to its end.
 *
 *   PARLEY_URL=http://127.0.0.1:3000 PARLEY_TOKEN=parley_... node create-assistant-and-call.ts +12025550110
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createParleyClient, isParleyError } from '@parley/client';

const parley = createParleyClient({
  baseUrl: process.env['PARLEY_URL'] ?? 'http://127.0.0.1:3000',
  token: process.env['PARLEY_TOKEN'] ?? '',
});
const phoneNumber = process.argv[2] ?? '+12025550110';

const { body: voices } = await parley.lookups.listVoices({ query: { mode: 'pipeline' } });
const { body: languages } = await parley.lookups.listLanguages();
const { body: models } = await parley.lookups.listModels();
const [voice, language, model] = [voices[0], languages[0], models[0]];
if (!voice || !language || !model) throw new Error('This installation has no voice, language or model');

const { body: assistant } = await parley.assistants.create({
  body: {
    assistant_name: 'Example caller',
    voice_id: voice.id,
    language: language.name,
    llm_model: model.name,
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'Europe/Berlin',
    initial_message: 'Hello {{name}}, this is an example.',
    system_prompt: 'You are friendly and brief.',
    max_silence_duration: 5,
    max_call_duration: 60,
  },
});
console.log(`Created assistant ${assistant.data.id}`);

const callId = await placeCall();
for (let last = ''; ;) {
  const { body: call } = await parley.calls.get({ params: { id: callId } });
  if (call.status !== last) console.log(`Call ${callId}: ${call.status}`);
  last = call.status;
  if (['completed', 'busy', 'no-answer', 'failed'].includes(last)) {
    console.log(call.transcript || `Nothing was said (${call.ended_reason ?? 'no reason given'})`);
    break;
  }
  await wait(250);
}

/** A lost response causes no second call: the client repeats the request with the same `Idempotency-Key`. */
async function placeCall(): Promise<number> {
  try {
    const { body } = await parley.calls.make({
      body: { assistant_id: assistant.data.id, phone_number: phoneNumber, variables: { name: 'Ada' } },
    });
    return body.call_id;
  } catch (error) {
    if (!isParleyError(error, 422)) throw error;
    const reasons = [error.message, ...Object.values(error.errors).flat()];
    throw new Error(`${phoneNumber} cannot be called: ${reasons.join(' ')}`, { cause: error });
  }
}
