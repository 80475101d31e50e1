/**
 * Recordings of fixed sentences of an assistant. A job decodes each uploaded sound (`decode-phrase.ts`); until it is done,
 * an earlier recording of the same sentence is played. See docs/decisions/recorded-phrases.md.
 */
import {
  errorText,
  type FixedSentenceRecord,
  type NewRecordedPhrase,
  type RecordedPhraseRecord,
} from '@parley/contracts';
import {
  Assistant,
  Language,
  RecordedPhrase,
  RecordedPhraseSound,
  type RecordedPhraseRow,
  type Tx,
} from '@parley/db';
import { comparableText } from '@parley/script';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { lockOwner } from '../users/require-below-maximum.ts';
import { fixedSentences } from './fixed-sentences.ts';
import { assistantNotFound, lockAssistant, ownAssistants } from './own-assistant.ts';
import { recordedPhraseRecord } from './recorded-phrase-record.ts';

/** Recordings of one assistant, with those that failed. */
const MAX_PHRASES = 200;
/** Recordings of one user that wait to be decoded: each may have 10 MiB. */
const MAX_WAITING = 20;

/** A recorded phrase and its assistant. */
export interface PhraseAim {
  assistantId: number;
  id: number;
}

/** Newest first, with the sentences that can be recorded. @throws DomainError `not-found` */
export async function listRecordedPhrases(
  ctx: CoreContext,
  identity: Identity,
  assistantId: number,
): Promise<{ data: RecordedPhraseRecord[]; sentences: FixedSentenceRecord[] }> {
  const { em } = ctx.db;
  const assistant = await em.findOne(Assistant, { id: assistantId, ...ownAssistants(identity) });
  if (!assistant) throw assistantNotFound();
  const [rows, language] = await Promise.all([
    em.find(RecordedPhrase, { assistantId }, { orderBy: { id: 'desc' } }),
    em.findOneOrFail(Language, { id: assistant.languageId }),
  ]);
  const byText = Map.groupBy(rows, ({ text }) => comparableText(text));
  return {
    data: rows.map(recordedPhraseRecord),
    sentences: fixedSentences({ ...assistant, language: language.iso2 }, (text) => {
      const recordings = byText.get(text) ?? [];
      return {
        is_recorded: recordings.some(({ status }) => status === 'active'),
        recorded_phrase_ids: recordings.map(({ id }) => id),
      };
    }),
  };
}

/** @throws DomainError `not-found` */
export async function findRecordedPhrase(
  ctx: CoreContext,
  identity: Identity,
  aim: PhraseAim,
): Promise<RecordedPhraseRecord> {
  return recordedPhraseRecord(await findPhrase(ctx.db, identity, aim));
}

/** The sound as a WAV file. @throws DomainError `not-found`, also until it is active */
export async function findPhraseSound(
  ctx: CoreContext,
  identity: Identity,
  aim: PhraseAim,
): Promise<Uint8Array> {
  const { id, status } = await findPhrase(ctx.db, identity, aim);
  const sound =
    status === 'active' ? await ctx.db.em.findOne(RecordedPhraseSound, { recordedPhraseId: id }) : null;
  if (!sound) throw phraseNotFound();
  return sound.content;
}

/**
 * Stores a sound, which a job decodes.
 *
 * @throws DomainError `not-found`; `invalid` when the assistant has too many; `conflict` while many wait to be decoded
 */
export async function addRecordedPhrase(
  ctx: CoreContext,
  identity: Identity,
  { assistantId, input }: { assistantId: number; input: NewRecordedPhrase },
): Promise<RecordedPhraseRecord> {
  const { userId } = identity;
  return ctx.db.transaction(async (tx) => {
    // The sounds of all assistants of the user wait together.
    await lockOwner(tx, userId);
    await lockAssistant(tx, identity, assistantId);
    if ((await tx.em.count(RecordedPhrase, { assistantId })) >= MAX_PHRASES) {
      const fields = { text: [`An assistant has at most ${MAX_PHRASES} recorded phrases.`] };
      throw new DomainError('invalid', errorText.invalidData, { fields });
    }
    const waiting = await tx.em.count(RecordedPhrase, { userId, status: 'processing' });
    if (waiting >= MAX_WAITING)
      throw new DomainError('conflict', 'Wait until the sounds that you have uploaded are decoded.');
    const at = now(ctx);
    const row = tx.em.create(RecordedPhrase, {
      userId,
      assistantId,
      text: input.text.trim(),
      status: 'processing',
      failure: null,
      durationMs: 0,
      createdAt: at,
      updatedAt: at,
    });
    await tx.em.flush();
    const content = Buffer.from(input.file, 'base64');
    tx.em.create(RecordedPhraseSound, { recordedPhraseId: row.id, content });
    await tx.em.flush();
    // One after the other for all users: those with fewer come first, because a file may take all of its time.
    await enqueue(tx, 'decode_phrase', { phraseId: row.id }, { priority: waiting });
    return recordedPhraseRecord(row);
  });
}

/** Calls that begin later use the synthetic voice. @throws DomainError `not-found` */
export async function deleteRecordedPhrase(
  ctx: CoreContext,
  identity: Identity,
  aim: PhraseAim,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    tx.em.remove(await findPhrase(tx, identity, aim));
  });
}

async function findPhrase(
  tx: Tx,
  identity: Identity,
  { id, assistantId }: PhraseAim,
): Promise<RecordedPhraseRow> {
  const row = await tx.em.findOne(RecordedPhrase, { id, assistantId, userId: identity.userId });
  const isOwn =
    row !== null && (await tx.em.count(Assistant, { id: assistantId, ...ownAssistants(identity) })) > 0;
  if (!isOwn) throw phraseNotFound();
  return row;
}

function phraseNotFound(): DomainError {
  return new DomainError('not-found', 'Recorded phrase not found');
}
