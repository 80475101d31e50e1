/** The recorded phrases of assistants as calls use them. SQL, because they are read for every call. */
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** A sentence that has a recording. */
export interface CallPhrase {
  /** A recording never changes: another sound has another id. */
  id: number;
  text: string;
}

const selectPhrases = statement<CallPhrase & { assistantId: number }>(
  'recorded_phrases_of_assistants',
  `select id, assistant_id, text from recorded_phrases
   where assistant_id = any($1::bigint[]) and status = 'active' order by id`,
);
const selectSound = statement<{ content: Uint8Array }>(
  'recorded_phrase_sound',
  `select s.content from recorded_phrase_sounds s join recorded_phrases p on p.id = s.recorded_phrase_id
   where p.id = $1 and p.status = 'active'`,
);

/** Phrases by the id of their assistant, oldest first. */
export type PhrasesByAssistant = ReadonlyMap<number, CallPhrase[]>;

/** Reads which sentences of the assistants of a call have a recording. */
export async function loadRecordedPhrases(
  tx: Tx,
  assistantIds: readonly number[],
): Promise<PhrasesByAssistant> {
  const rows = await tx.query(selectPhrases, [assistantIds]);
  return Map.groupBy(rows, ({ assistantId }) => assistantId);
}

/** The sound of a phrase as a WAV file: mono, 16 000 Hz, 16 bits; null when it was deleted. */
export async function loadPhraseSound(ctx: CoreContext, id: number): Promise<Uint8Array | null> {
  const [row] = await ctx.db.query(selectSound, [id]);
  return row?.content ?? null;
}
