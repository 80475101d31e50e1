/** The smallest body that creates an assistant with the voices and models of every installation. */
export function newAssistant(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    assistant_name: 'Anna',
    voice_id: 1,
    language: 'English',
    llm_model: 'Scripted dialogue (built in)',
    calls_direction: 'make',
    engine_type: 'pipeline',
    timezone: 'UTC',
    initial_message: 'Hello',
    system_prompt: 'Be kind.',
    ...changes,
  };
}
