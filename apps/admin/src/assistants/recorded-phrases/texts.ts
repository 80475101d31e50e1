/** The texts of the recordings of an assistant's sentences. */

const USES = {
  initial_message: 'Initial message',
  disclosure_message: 'Disclosure',
  script: 'Script',
  filler: 'Filler',
  warm_call_transfer: 'Warm transfer',
  standard: 'Said by every assistant',
};

/** Plain texts, and functions for texts with values. */
export const texts = {
  title: 'Recorded sentences',
  about:
    'Where the assistant says one of these sentences, a recording is played instead of the voice. The list shows the saved settings; sentences with variables cannot be recorded.',
  add: 'Record another sentence',
  columns: { sentence: 'Sentence', state: 'State' },
  use: (use: keyof typeof USES | null) => (use === null ? 'In none of the saved settings' : USES[use]),
  spoken: 'Spoken by the voice',
  status: { processing: 'Being processed', active: 'Ready', failed: 'Failed' },
  ready: (duration: string) => `Ready, ${duration}`,
  showAll: (count: number) => `Show all ${count} sentences`,
  record: { action: 'Record', label: (text: string) => `Record: ${text}` },
  replace: { action: 'Replace', label: (text: string) => `Replace the recording: ${text}` },
  listen: { action: 'Listen', label: (text: string) => `Listen: ${text}` },
  stop: { action: 'Stop', label: (text: string) => `Stop: ${text}` },
  remove: {
    action: 'Delete',
    label: (text: string) => `Delete the recording: ${text}`,
    question: 'Delete this recording?',
    text: (text: string) => `“${text}” will be spoken by the voice in calls that begin from now on.`,
    keep: 'Keep',
  },
  form: {
    title: 'Record a sentence',
    text: {
      label: 'Sentence',
      hint: 'Exactly what is said in the recording. Case and punctuation do not matter, except for question marks.',
      missing: 'Enter the sentence',
      variables: 'A sentence with variables has other words in each call and cannot be recorded',
      tooLong: 'Enter at most 2,000 characters',
    },
    source: 'Sound',
    sources: { microphone: 'Microphone', file: 'File' },
    file: {
      label: 'File',
      hint: 'WAV, MP3 or Ogg Opus, at most 10 MiB and 60 seconds.',
      missing: 'Select a file',
      unknown: 'Select a WAV, MP3 or Ogg Opus file (.wav, .mp3, .ogg or .opus)',
      empty: 'The file is empty',
      tooLarge: 'The file is larger than 10 MiB',
    },
    microphone: {
      missing: 'Record the sentence first',
      start: 'Start recording',
      again: 'Record again',
      opening: 'Allow microphone access when the browser asks.',
      stop: (seconds: number) => `Stop (${seconds} s)`,
      level: 'Loudness of the microphone',
      recorded: 'Recorded. Silence at both ends will be removed.',
    },
    action: 'Save recording',
  },
  unplayable: 'The recording could not be played. Reload the page and try again.',
};
