/** The rows of the list: every sentence with its recordings, and recordings of texts that no setting contains. */
import type { FixedSentenceRecord, RecordedPhraseRecord } from '@parley/contracts';

/** A recording, or a sentence without one. */
export interface PhraseRow {
  key: string;
  text: string;
  /** Null: the text is in none of the saved settings. */
  usedFor: FixedSentenceRecord['used_for'] | null;
  recording: RecordedPhraseRecord | null;
}

/** What the server answers. */
export interface PhraseLists {
  data: readonly RecordedPhraseRecord[];
  sentences: readonly FixedSentenceRecord[];
}

/** Sentences that are shown before the whole list is asked for. */
const FIRST_ROWS = 6;

/** Recordings first, then sentences without one; both in the order of a call. */
export function phraseRows({ data, sentences }: PhraseLists): PhraseRow[] {
  const left = new Map(data.map((recording) => [recording.id, recording]));
  const recorded: PhraseRow[] = [];
  const others: PhraseRow[] = [];
  for (const { text, used_for: usedFor, recorded_phrase_ids: ids } of sentences) {
    const own = ids.flatMap((id) => left.get(id) ?? []);
    for (const recording of own) {
      left.delete(recording.id);
      recorded.push({ key: String(recording.id), text, usedFor, recording });
    }
    if (own.length === 0) others.push({ key: `${usedFor} ${text}`, text, usedFor, recording: null });
  }
  for (const recording of left.values())
    recorded.push({ key: String(recording.id), text: recording.text, usedFor: null, recording });
  return [...recorded, ...others];
}

/** Every recording, and at least the first sentences. */
export function firstRows(rows: readonly PhraseRow[]): readonly PhraseRow[] {
  const recordings = rows.filter(({ recording }) => recording !== null).length;
  return rows.slice(0, Math.max(FIRST_ROWS, recordings));
}
