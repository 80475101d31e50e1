import { expect, it } from 'vitest';
import { describeRecognition, type Recognition } from './recognition-words.rules.ts';

it.each<[Recognition, RegExp]>([
  [{ by: 'realtime', provider: 'OpenAI', isByLoudness: false }, /OpenAI hears and speaks/],
  [{ by: 'provider', provider: 'Deepgram', isCertain: true, isByLoudness: false }, /through Deepgram\.$/],
  [{ by: 'provider', provider: 'Ollama', isCertain: false, isByLoudness: false }, /Ollama, if that server/],
  [{ by: 'phrases', isByLoudness: false }, /keys and the phrases/],
  [{ by: 'keys', language: 'English', isByLoudness: false }, /keys only\..*install pocketsphinx/],
  [{ by: 'keys', language: 'Polish', isByLoudness: false }, /keys only:.*For Polish add a provider/],
  [{ by: 'nobody', isByLoudness: false }, /nobody tells it the words/],
  [{ by: 'no-voice-process', isByLoudness: false }, /No voice process/],
  [{ by: 'phrases', isByLoudness: true }, /phrases.*loudness alone/],
])('%j is said in words', (recognition, words) => {
  expect(describeRecognition(recognition)).toMatch(words);
});
