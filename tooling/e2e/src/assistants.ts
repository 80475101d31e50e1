/** Assistants for tests, made as an integrator makes them. */
import type { SharedInstallation } from './installation.ts';

/** What tests decide on. */
export interface AssistantOptions {
  webhookUrl: string;
  /** Default 10. */
  maxSilenceSeconds?: number;
  /** Default true, as for everybody. */
  endsOnVoicemail?: boolean;
  /** Default 60; at least 20. */
  maxCallSeconds?: number;
  /** Whether unanswered calls are reported too. Default false. */
  isEveryEndReported?: boolean;
}

/** Creates an outbound assistant that records and reports. @returns its id */
export async function createAssistant(
  installation: SharedInstallation,
  options: AssistantOptions,
): Promise<number> {
  const voices = (await installation.request('GET', '/api/user/assistants/voices?mode=pipeline')) as {
    id: number;
  }[];
  const models = (await installation.request('GET', '/api/user/assistants/models')) as { name: string }[];
  const languages = (await installation.request('GET', '/api/user/assistants/languages')) as {
    name: string;
  }[];
  const answer = (await installation.request('POST', '/api/user/assistant', {
    assistant_name: 'Test caller',
    voice_id: voices[0]?.id,
    language: languages[0]?.name,
    llm_model: models[0]?.name,
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Hello, this is the test.',
    initial_message_delay: 0,
    system_prompt: 'You test a telephone.',
    record_call: true,
    is_webhook_active: true,
    webhook_url: options.webhookUrl,
    send_webhook_only_on_completed: options.isEveryEndReported !== true,
    end_call_on_voicemail: options.endsOnVoicemail ?? true,
    max_silence_duration: options.maxSilenceSeconds ?? 10,
    max_call_duration: options.maxCallSeconds ?? 60,
  })) as { data: { id: number } };
  return answer.data.id;
}
