/** Which voices a conversation uses. A speech-to-speech model speaks itself; other voices replace it where it fails. */
import type { ConversationOptions } from './conversation-port.ts';
import type { RealtimeEngine } from './realtime/realtime-engine.ts';
import { RecordedPhrases } from './speaking/recorded-phrases.ts';
import { VoiceChain } from './speaking/voice-chain.ts';

/** The voices in the order of their use, and those of the disclosure message. */
export function conversationVoices(
  { line, settings, synthesiser, fallbacks, recordings }: ConversationOptions,
  realtime: RealtimeEngine | null,
): { voices: VoiceChain; disclosureVoices: VoiceChain } {
  const { voice, speed, stability, similarity, language } = settings;
  const replacements = fallbacks?.voices ?? [];
  const manner = { sampleRateHz: line.sampleRateHz, speed, stability, similarity, language };
  const common = { manner, recorded: new RecordedPhrases(recordings) };
  const own = { synthesiser: realtime?.synthesiser ?? synthesiser, voice };
  const voices = new VoiceChain(common, own, ...replacements);
  // A speech-to-speech model may change the words that it reads out.
  const [exact, ...others] = realtime ? replacements : [];
  return { voices, disclosureVoices: exact ? new VoiceChain(common, exact, ...others) : voices };
}
