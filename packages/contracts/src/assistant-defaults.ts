/**
 * The values of omitted fields of a new assistant, by read name (docs/api.md, "Assistants"). Fillers are not included,
 * because they depend on the language of the assistant.
 */

/** Used for fields that were not sent; also stated in the API document. */
export const assistantDefaults = {
  status: 'active',
  llm_temperature: 0.1,
  voice_stability: 0.7,
  voice_similarity: 0.5,
  speech_speed: 1,
  allow_interruptions: true,
  fillers: false,
  record: false,
  enable_noise_cancellation: true,
  wait_for_customer: false,
  initial_message_delay: 1,
  initial_message_interruptible: true,
  opt_out_key: null,
  disclosure_message: null,
  max_duration: 600,
  max_silence_duration: 40,
  reengagement_interval: 30,
  end_call_on_voicemail: true,
  endpoint_type: 'vad',
  endpoint_sensitivity: 0.5,
  interrupt_sensitivity: 0.5,
  min_interrupt_words: 0,
  ambient_sound: 'off',
  ambient_sound_volume: 0.5,
  is_webhook_active: false,
  conversation_inactivity_timeout: 30,
  conversation_ended_retrigger: false,
  send_webhook_only_on_completed: true,
  include_recording_in_webhook: true,
  post_call_evaluation: true,
  post_call_schema: [
    { name: 'status', type: 'bool', description: 'Whether the objective of the call was reached' },
    { name: 'summary', type: 'string', description: 'A summary of the call' },
  ],
} as const;
