/** Writes the timeline of a call. Details hold no personal data, except the text of `disclosed`, which expires with the transcript. */
import { json, statement, type Tx } from '@parley/db';

const insertCallEvent = statement(
  'insert_call_event',
  `insert into call_events (call_id, call_created_at, id, at, type, detail)
   values ($1, $2, nextval('call_event_ids'), $3, $4, $5)`,
);

/** One line of the timeline. */
export interface TimelineEntry {
  at: Date;
  type: string;
  detail?: Record<string, unknown> | undefined;
}

/** Adds one line. */
export async function addCallEvent(
  tx: Tx,
  call: { id: number; createdAt: Date },
  entry: TimelineEntry,
): Promise<void> {
  await tx.query(insertCallEvent, [call.id, call.createdAt, entry.at, entry.type, json(entry.detail ?? {})]);
}
