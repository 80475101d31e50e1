/** The texts of the providers page. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  form: {
    models: {
      label: 'Models',
      hint: 'One per line: the name, or display name = name on the server.',
      placeholder: 'Llama 3.3 = llama3.3:70b',
    },
    embeddingModels: {
      label: 'Embedding models',
      hint: 'One per line. Knowledge bases use them to find passages by their meaning.',
      placeholder: 'Nomic = nomic-embed-text',
    },
    voices: {
      label: 'Voices',
      hint: 'One per line, if the server offers speech. For a voice with its own model: voice@model.',
      placeholder: 'Heart = af_heart@kokoro',
    },
    transcriptionModel: {
      label: 'Transcription model',
      hint: 'The server’s name of the model that transcribes. Empty: whisper-1, if an assistant uses this server for transcription.',
      placeholder: 'Systran/faster-whisper-small',
    },
    address: {
      label: 'Base URL',
      hint: 'Ends with /v1, without /chat/completions.',
      ownHint: 'Leave empty to use the provider’s own address.',
      example: 'http://127.0.0.1:11434/v1',
      own: 'Default',
    },
    kind: 'Type',
    name: {
      label: 'Name',
      hint: 'Shown next to its models and voices.',
    },
    key: {
      label: 'API key',
      kept: 'Leave empty to keep the current key. It is never shown.',
      hint: 'Tested when you save, stored encrypted, and never shown again.',
    },
    save: 'Save',
    add: 'Add provider',
  },
  page: {
    title: 'Providers',
    subtitle: 'Sources of models, voices and transcription. Shared by all users.',
    new: 'New provider',
    empty: {
      title: 'No providers yet',
      text: 'You can start without one: the built-in voice and scripted dialogues need no provider. Add a provider for language models, more voices and speech recognition. It can also be a server on your own network.',
    },
  },
  table: {
    columns: {
      name: 'Name',
      address: 'Address',
      key: 'API key',
      offers: 'Offers',
    },
    hasKey: 'Stored',
    noKey: 'None',
    asking: 'Loading …',
    asOf: (time: string) => `as of ${time}`,
    check: 'Check',
    checkLabel: (name: string) => `Check ${name}`,
    edit: 'Edit',
    editLabel: (name: string) => `Edit ${name}`,
  },
  remove: {
    action: 'Remove',
    label: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    keep: 'Keep provider',
    text: (offers: string) =>
      `Its key, models and voices are removed with it (${offers}). A provider cannot be removed while an assistant uses one of them.`,
  },
  offers: {
    models: (count: number) => (count === 1 ? '1 model' : `${count} models`),
    voices: (count: number) => (count === 1 ? '1 voice' : `${count} voices`),
    transcription: 'transcription',
  },
  check: {
    reached: 'Connection successful.',
    offers: (offers: string) => `Connection successful. The provider offers ${offers}.`,
  },
  kinds: {
    'built-in': {
      label: 'Built in',
      hint: 'Offers a voice and scripted dialogues, on this installation itself.',
    },
    'openai-compatible': {
      label: 'OpenAI-compatible server',
      hint: 'Offers language models, and voices and transcription if the server supports them.',
    },
    openai: { label: 'OpenAI', hint: 'Offers language models, voices, transcription and speech to speech.' },
    anthropic: { label: 'Anthropic', hint: 'Offers language models.' },
    google: { label: 'Google', hint: 'Offers language models and speech to speech.' },
    deepgram: { label: 'Deepgram', hint: 'Offers transcription and voices.' },
    assemblyai: { label: 'AssemblyAI', hint: 'Offers transcription.' },
    elevenlabs: { label: 'ElevenLabs', hint: 'Offers voices.' },
    cartesia: { label: 'Cartesia', hint: 'Offers voices.' },
  },
};
