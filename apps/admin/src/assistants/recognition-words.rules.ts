/** What an assistant understands, in the words of the screen. */
import type { AppRouter } from '@parley/api/router';
import type { inferRouterOutputs } from '@trpc/server';

/** What the server says of one assistant. */
export type Recognition = inferRouterOutputs<AppRouter>['assistants']['recognition'];

const LOUDNESS = ' Speech is told by its loudness alone on this machine, so noise may interrupt it.';

/** One or two sentences. */
export function describeRecognition(recognition: Recognition): string {
  return mainWords(recognition) + (recognition.isByLoudness ? LOUDNESS : '');
}

function mainWords(recognition: Recognition): string {
  switch (recognition.by) {
    case 'realtime':
      return `Understands speech: ${recognition.provider} hears and speaks by itself.`;
    case 'provider':
      return recognition.isCertain
        ? `Understands speech through ${recognition.provider}.`
        : `Understands speech through ${recognition.provider}, if that server transcribes.`;
    case 'phrases':
      return 'Understands keys and the phrases of its script, nothing else.';
    case 'keys':
      return keyWords(recognition.language);
    case 'nobody':
      return 'Notices speech, but nobody tells it the words. Add a provider that transcribes.';
    case 'no-voice-process':
      return 'No voice process is running: it can neither call nor answer.';
  }
}

function keyWords(language: string): string {
  if (language !== 'English')
    return `Understands keys only: phrases of a script are understood in English. For ${language} add a provider that transcribes.`;
  return (
    'Understands keys only. For the phrases of its script install pocketsphinx and pocketsphinx-en-us on the voice ' +
    'machine and start it again, or add a provider that transcribes.'
  );
}
