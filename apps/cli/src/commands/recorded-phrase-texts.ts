/** The texts of the commands about recorded phrases of assistants. */

/** Plain texts, and functions for texts with values. */
export const recordedPhraseTexts = {
  one: 'Recorded phrase',
  list: 'list the recorded phrases of an assistant, and the sentences that can be recorded',
  add: 'add a recording of a sentence, which calls play instead of the voice; it replaces an earlier one',
  delete: 'delete a recorded phrase; the voice says the sentence again',
  text: 'what is said in the recording',
  sound: 'a WAV, MP3 or Ogg Opus file of at most 10 MiB and 60 seconds',
  none: 'No recorded phrases found.',
  sentences: 'Sentences without a recording:',
  confirm: (id: number) => `Delete recorded phrase ${id}?`,
  unreadable: (path: string) => `${path} cannot be read.`,
  tooLarge: (path: string) => `${path} is larger than 10 MiB.`,
};
