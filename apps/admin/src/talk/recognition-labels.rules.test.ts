import { expect, it } from 'vitest';
import { describeRecognition, type Recognition, voiceWarning } from './recognition-labels.rules.ts';

type WithoutVoice<Kind> = Kind extends unknown ? Omit<Kind, 'voiceMismatch'> : never;
/** Each kind of recognition. */
type Said = WithoutVoice<Recognition>;

const voice = { voiceMismatch: null };

it.each<[Said, RegExp]>([
  [{ by: 'realtime', provider: 'OpenAI', isByLoudness: false }, /OpenAI listens and speaks/],
  [{ by: 'provider', provider: 'Deepgram', isCertain: true, isByLoudness: false }, /through Deepgram\.$/],
  [{ by: 'provider', provider: 'Ollama', isCertain: false, isByLoudness: false }, /Ollama, if that server/],
  [{ by: 'built-in', isByLoudness: false }, /English on this machine/],
  [
    { by: 'keys', language: 'English', isByLoudness: false },
    /keypad input only\..*does not recognise speech/,
  ],
  [{ by: 'keys', language: 'Polish', isByLoudness: false }, /keypad input only:.*For Polish, add a provider/],
  [{ by: 'none', isByLoudness: false }, /does not understand it/],
  [{ by: 'no-voice-process', isByLoudness: false }, /No voice process/],
  [{ by: 'built-in', isByLoudness: true }, /English.*volume alone/],
])('describes %j', (recognition, words) => {
  expect(describeRecognition({ ...recognition, ...voice })).toMatch(words);
});

it('warns of a voice of another language', () => {
  const heard: Recognition = { by: 'built-in', isByLoudness: false, voiceMismatch: null };
  expect(voiceWarning(heard)).toBeNull();
  const voiceMismatch = { voice: 'Anna', speaks: 'English', language: 'German' };
  expect(voiceWarning({ ...heard, voiceMismatch })).toMatch(
    /^The voice Anna speaks English.*speaks German\.$/,
  );
});
