/** What the voice processes that live can hear by. Each says so when it registers. */
import { statement, type Tx, type VoiceProcessRow } from '@parley/db';

/** How a voice process knows that somebody speaks, and in which languages its recognisers know what is said. */
export type VoiceHearing = Pick<VoiceProcessRow, 'detector' | 'recognisedLanguages'>;

/** Of a process that recognises nothing. */
export const DEAF: VoiceHearing = { detector: 'silero', recognisedLanguages: {} };

const selectHearing = statement<VoiceHearing>(
  'hearing_of_voice_processes',
  `select distinct detector, recognised_languages from voice_processes where lease_until > now()`,
);

/** Each different answer once; none when no voice process lives. */
export async function readHearing(tx: Tx): Promise<VoiceHearing[]> {
  return tx.query(selectHearing);
}
