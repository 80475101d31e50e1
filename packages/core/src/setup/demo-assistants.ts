/** The two assistants of a fresh installation, one outbound and one inbound. Both use built-in engines only. */
import { DEMO_ASSISTANTS, type NewAssistant } from '@parley/contracts';
import { Assistant, Language, LlmModel, Voice, type EntityWriter } from '@parley/db';
import { assistantFromInput } from '../assistants/assistant-input.ts';
import { DEMO_QUESTION, DEMO_SCRIPT } from './demo-script.ts';

type DemoAssistant = Pick<NewAssistant, 'name' | 'type' | 'initial_message' | 'system_prompt'>;

const OUTBOUND: DemoAssistant = {
  name: DEMO_ASSISTANTS.outbound,
  type: 'outbound',
  initial_message: `Hello, this is the demo assistant of your Parley installation. ${DEMO_QUESTION}`,
  system_prompt: DEMO_SCRIPT,
};

const INBOUND: DemoAssistant = {
  name: DEMO_ASSISTANTS.inbound,
  type: 'inbound',
  initial_message: `Hello, you have reached the demo assistant of this Parley installation. ${DEMO_QUESTION}`,
  system_prompt: DEMO_SCRIPT,
};

/** Adds both to the entity manager, which writes them before its transaction commits. */
export async function createDemoAssistants(
  em: EntityWriter,
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
}
