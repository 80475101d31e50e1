import { expect, it } from 'vitest';
import { describeRecognition, type Recognition } from './recognition-labels.rules.ts';

it.each<[Recognition, RegExp]>([
  [{ by: 'realtime', provider: 'OpenAI', isByLoudness: false }, /OpenAI listens and speaks/],
  [{ by: 'provider', provider: 'Deepgram', isCertain: true, isByLoudness: false }, /through Deepgram\.$/],
  [{ by: 'provider', provider: 'Ollama', isCertain: false, isByLoudness: false }, /Ollama, if that server/],
  [{ by: 'phrases', isByLoudness: false }, /keypad input and the phrases/],
  [{ by: 'keys', language: 'English', isByLoudness: false }, /keypad input only\..*install pocketsphinx/],
  [{ by: 'keys', language: 'Polish', isByLoudness: false }, /keypad input only:.*For Polish, add a provider/],
  [{ by: 'none', isByLoudness: false }, /does not understand it/],
  [{ by: 'no-voice-process', isByLoudness: false }, /No voice process/],
  [{ by: 'phrases', isByLoudness: true }, /phrases.*volume alone/],
])('describes %j', (recognition, words) => {
  expect(describeRecognition(recognition)).toMatch(words);
});
