/** Reads the assistants of one owner. Deleted assistants and those of other owners are treated as missing. */
import type { AssistantDetailsRecord, AssistantRecord } from '@parley/contracts';
import { Assistant, Language, LockMode, type AssistantRow, type Transaction, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { assistantDetailsRecord, assistantRecord } from './assistant-record.ts';

/** The condition for an owner's assistants. */
export function ownAssistants({ userId }: Pick<Identity, 'userId'>) {
  return { userId, deletedAt: null };
}

/**
 * Locks an assistant against changes until the transaction ends.
 *
 * @throws DomainError `not-found`
 */
export async function lockAssistant(tx: Transaction, identity: Identity, id: number): Promise<AssistantRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const row = await tx.em.findOne(Assistant, { id, ...ownAssistants(identity) }, lock);
  if (!row) throw assistantNotFound();
  return row;
}

/** The full record of an assistant, with the name of its language. */
export async function describeAssistant(tx: Tx, row: AssistantRow): Promise<AssistantRecord> {
  const language = await tx.em.findOneOrFail(Language, { id: row.languageId });
  return assistantRecord(row, language.name);
}

/** The record of a single assistant, with the name of its language. */
export async function describeDetails(tx: Tx, row: AssistantRow): Promise<AssistantDetailsRecord> {
  const language = await tx.em.findOneOrFail(Language, { id: row.languageId });
  return assistantDetailsRecord(row, language.name);
}

/** The full records of assistants, with one query for the names of all languages. */
export async function describeAssistants(tx: Tx, rows: readonly AssistantRow[]): Promise<AssistantRecord[]> {
  const ids = [...new Set(rows.map(({ languageId }) => languageId))];
  const languages = await tx.em.find(Language, { id: ids });
  const names = new Map(languages.map(({ id, name }) => [id, name]));
  return rows.map((row) => assistantRecord(row, names.get(row.languageId) ?? ''));
}

/** The answer for an assistant that is missing, deleted or owned by another user. */
export function assistantNotFound(): DomainError {
  return new DomainError('not-found', 'Assistant not found');
}
