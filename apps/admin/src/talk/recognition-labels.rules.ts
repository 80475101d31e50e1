/** Describes how well an assistant understands speech. */
import type { AppRouter } from '@parley/api/router';
import type { inferRouterOutputs } from '@trpc/server';
import { texts } from './texts.ts';

/** The speech recognition of one assistant. */
export type Recognition = inferRouterOutputs<AppRouter>['assistants']['recognition'];

/** One or two sentences. */
export function describeRecognition(recognition: Recognition): string {
  const sentence = mainSentence(recognition);
  return recognition.isByLoudness ? `${sentence} ${texts.recognition.byLoudness}` : sentence;
}

/** A warning about a voice of another language; null where there is nothing to warn of. */
export function voiceWarning({ voiceMismatch }: Recognition): string | null {
  return voiceMismatch && texts.recognition.voiceMismatch(voiceMismatch);
}

function mainSentence(recognition: Recognition): string {
  switch (recognition.by) {
    case 'realtime':
      return texts.recognition.realtime(recognition.provider);
    case 'provider':
      return recognition.isCertain
        ? texts.recognition.provider(recognition.provider)
        : texts.recognition.uncertainProvider(recognition.provider);
    case 'built-in':
      return texts.recognition.builtIn;
    case 'keys':
      return recognition.language === 'English'
        ? texts.recognition.keys
        : texts.recognition.keysIn(recognition.language);
    case 'none':
      return texts.recognition.none;
    case 'no-voice-process':
      return texts.recognition.noVoiceProcess;
  }
}
