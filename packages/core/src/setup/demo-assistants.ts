/** The two assistants of a fresh installation: one that calls, one that answers. Both run on what is built in. */
import type { NewAssistant } from '@parley/contracts';
import { Assistant, Language, LlmModel, Voice } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { assistantFromInput } from '../assistants/assistant-input.ts';
import { DEMO_QUESTION, DEMO_SCRIPT } from './demo-script.ts';

type EntityManager = ReturnType<CoreContext['db']['orm']>;

type DemoAssistant = Pick<NewAssistant, 'name' | 'type' | 'initial_message' | 'system_prompt'>;

const OUTBOUND: DemoAssistant = {
  name: 'Demo: calls out',
  type: 'outbound',
  initial_message: `Hello, this is the demo assistant of your Parley installation. ${DEMO_QUESTION}`,
  system_prompt: DEMO_SCRIPT,
};

const INBOUND: DemoAssistant = {
  name: 'Demo: answers calls',
  type: 'inbound',
  initial_message: `Hello, you have reached the demo assistant of this Parley installation. ${DEMO_QUESTION}`,
  system_prompt: DEMO_SCRIPT,
};

/** Adds both to the entity manager and writes them; part of the caller's transaction. */
export async function createDemoAssistants(
  em: EntityManager,
  about: { userId: number; inboundNumberId: number; at: Date },
): Promise<void> {
  const language = await em.findOneOrFail(Language, { iso2: 'en' });
  const voice = await em.findOneOrFail(Voice, { wireName: 'slt', userId: null });
  const model = await em.findOneOrFail(LlmModel, { wireName: 'scripted' });
  const demos = [
    { demo: OUTBOUND, phoneNumberId: null },
    { demo: INBOUND, phoneNumberId: about.inboundNumberId },
  ];
  for (const { demo, phoneNumberId } of demos) {
    const input: NewAssistant = {
      ...demo,
      voice_id: voice.id,
      mode: 'pipeline',
      timezone: 'UTC',
      record: true,
    };
    const ids = { voiceId: voice.id, languageId: language.id, llmModelId: model.id, phoneNumberId };
    em.create(Assistant, assistantFromInput(input, { ids, language }, about));
  }
  await em.flush();
}
