import { describe, expect, it } from 'vitest';
import { phraseFaults, soundOf, type PhraseDraft } from './phrase-draft.rules.ts';

const MIB = 1024 * 1024;
const named = (name: string, bytes = 1): File => new File([new Uint8Array(bytes)], name);
const draft = (fields: Partial<PhraseDraft>): PhraseDraft => ({
  text: 'Good morning.',
  source: 'file',
  file: named('a.wav'),
  spoken: null,
  ...fields,
});

describe('the faults of a recording', () => {
  it.each<[string, Partial<PhraseDraft>, (keyof PhraseDraft)[]]>([
    ['a WAV file is accepted', {}, []],
    ['so are MP3, Ogg and Opus, in any case', { file: named('A.MP3') }, []],
    ['an ending of Opus', { file: named('a.b.opus') }, []],
    ['another ending is refused', { file: named('a.m4a') }, ['file']],
    ['a name without an ending is refused', { file: named('wav') }, ['file']],
    ['no file', { file: null }, ['file']],
    ['an empty file', { file: named('a.wav', 0) }, ['file']],
    ['the largest file is accepted', { file: named('a.wav', 10 * MIB) }, []],
    ['a larger one is refused', { file: named('a.wav', 10 * MIB + 1) }, ['file']],
    ['no text', { text: ' ?! ' }, ['text']],
    ['a text with variables', { text: 'Hello {{name}}.' }, ['text']],
    ['the longest text is accepted', { text: 'é'.repeat(2000) }, []],
    ['a longer one is refused', { text: 'é'.repeat(2001) }, ['text']],
    ['nothing was recorded yet', { source: 'microphone', file: null }, ['spoken']],
    [
      'the file does not count when the microphone is used',
      { source: 'microphone', spoken: named('b.wav'), file: null },
      [],
    ],
  ])('%s', (_, fields, faulty) => {
    expect(Object.keys(phraseFaults(draft(fields)))).toEqual(faulty);
  });

  it('concern the sound that is sent', () => {
    const spoken = named('spoken.wav');
    expect(soundOf(draft({ spoken }))?.name).toBe('a.wav');
    expect(soundOf(draft({ spoken, source: 'microphone' }))).toBe(spoken);
  });
});
