/** The speech recognition that the running voice processes support. Each process reports it when it registers. */
import { statement, type Tx, type VoiceProcessRow } from '@parley/db';

/** The voice activity detector of a voice process, and the languages of its recognisers. */
export type RecognitionSupport = Pick<VoiceProcessRow, 'detector' | 'recognisedLanguages'>;

export const NO_RECOGNITION: RecognitionSupport = { detector: 'silero', recognisedLanguages: {} };

const selectSupport = statement<RecognitionSupport>(
  'recognition_support_of_voice_processes',
  `select distinct detector, recognised_languages from voice_processes where lease_until > now()`,
);

/** The distinct reports of all running voice processes; empty if none runs. */
export async function readRecognitionSupport(tx: Tx): Promise<RecognitionSupport[]> {
  return tx.query(selectSupport);
}
