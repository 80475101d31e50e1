/** Assistants whose language model is our simulator of OpenAI's protocol. */
import type { OpenAiSimulator } from '@parley/speech/fakes';
import type { SharedInstallation } from './installation.ts';

/** Makes the simulator a provider of the installation. */
export async function addSimulatedModel(
  installation: SharedInstallation,
  { baseUrl }: Pick<OpenAiSimulator, 'baseUrl'>,
): Promise<void> {
  await installation.request('POST', '/api/user/providers', {
    name: 'Simulated',
    kind: 'openai-compatible',
    base_url: baseUrl,
    api_key: 'key',
    models: [{ name: 'simulated' }],
  });
}

/** Creates an outbound assistant with that model. @param fields - those of the API, over the usual ones @returns its id */
export async function createSimulatedAssistant(
  installation: SharedInstallation,
  fields: Record<string, unknown>,
): Promise<number> {
  const path = '/api/user/assistants/voices?mode=pipeline';
  const [voice] = (await installation.request('GET', path)) as { id: number }[];
  const { data } = (await installation.request('POST', '/api/user/assistant', {
    voice_id: voice?.id,
    language: 'English',
    llm_model: 'simulated',
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'UTC',
    end_call_on_voicemail: false,
    initial_message: 'Good morning.',
    ...fields,
  })) as { data: { id: number } };
  return data.id;
}
