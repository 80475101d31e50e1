/** Translates recorded phrases to the API. */
import { isoMicroseconds, type RecordedPhraseRecord } from '@parley/contracts';
import type { RecordedPhraseRow } from '@parley/db';

/** The record of a recorded phrase. */
export function recordedPhraseRecord(row: RecordedPhraseRow): RecordedPhraseRecord {
  return {
    id: row.id,
    text: row.text,
    status: row.status,
    error: row.failure,
    duration_ms: row.durationMs,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}
