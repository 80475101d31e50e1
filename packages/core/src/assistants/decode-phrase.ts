/** The two ends of the job that decodes a recorded phrase: the uploaded file, and the sound that is played in calls. */
import {
  LockMode,
  RecordedPhrase,
  RecordedPhraseSound,
  type RecordedPhraseRow,
  type Transaction,
} from '@parley/db';
import { comparableText } from '@parley/script';
import { now, type CoreContext } from '../context.ts';

/** A WAV file (mono, 16 000 Hz, 16 bits) and its length; or why there is none, as a sentence for the owner. */
export type DecodedPhrase = { sound: Uint8Array; durationMs: number } | { failure: string };

/** All recordings of one assistant together: a voice process keeps them in memory. */
const MAX_TOTAL_MS = 900_000;

/** @returns the uploaded file; null when it was deleted or is decoded already */
export async function findPhraseToDecode(ctx: CoreContext, id: number): Promise<Uint8Array | null> {
  if ((await ctx.db.em.count(RecordedPhrase, { id, status: 'processing' })) === 0) return null;
  const source = await ctx.db.em.findOne(RecordedPhraseSound, { recordedPhraseId: id });
  return source?.content ?? null;
}

/** Ends the decoding of a phrase; it replaces earlier recordings of the same sentence. A repetition changes nothing. */
export async function storePhrase(ctx: CoreContext, id: number, decoded: DecodedPhrase): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const row = await tx.em.findOne(RecordedPhrase, { id, status: 'processing' }, lock);
    if (!row) return;
    const outcome = 'failure' in decoded ? decoded : await withinLimit(tx, row, decoded);
    row.updatedAt = now(ctx);
    if ('failure' in outcome) {
      row.status = 'failed';
      row.failure = outcome.failure;
      await tx.em.nativeDelete(RecordedPhraseSound, { recordedPhraseId: id });
      return;
    }
    const others = await tx.em.find(RecordedPhrase, { assistantId: row.assistantId, id: { $lt: id } });
    for (const other of others) if (isReplaced(other, row)) tx.em.remove(other);
    row.status = 'active';
    row.durationMs = outcome.durationMs;
    await tx.em.nativeUpdate(
      RecordedPhraseSound,
      { recordedPhraseId: id },
      { content: Buffer.from(outcome.sound) },
    );
  });
}

function isReplaced(other: Pick<RecordedPhraseRow, 'id' | 'text'>, row: RecordedPhraseRow): boolean {
  return other.id < row.id && comparableText(other.text) === comparableText(row.text);
}

async function withinLimit(
  tx: Transaction,
  row: RecordedPhraseRow,
  decoded: Extract<DecodedPhrase, { sound: Uint8Array }>,
): Promise<DecodedPhrase> {
  const others = await tx.em.find(
    RecordedPhrase,
    { assistantId: row.assistantId, status: 'active' },
    { fields: ['id', 'text', 'durationMs'] },
  );
  const totalMs = others
    .filter((other) => !isReplaced(other, row))
    .reduce((sum, { durationMs }) => sum + durationMs, decoded.durationMs);
  if (totalMs <= MAX_TOTAL_MS) return decoded;
  return { failure: `The recordings of an assistant may last ${MAX_TOTAL_MS / 60_000} minutes together.` };
}
