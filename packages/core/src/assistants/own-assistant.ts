/** Reads the assistants of one owner. Deleted assistants and those of other owners are treated as missing. */
import type { AssistantDetailsRecord, AssistantRecord } from '@parley/contracts';
import { Assistant, LockMode, statement, type AssistantRow, type Transaction, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { assistantDetailsRecord, assistantRecord } from './assistant-record.ts';

/** SQL, because the ORM takes several times as long for a name that a record refers to (goals P16). */
const selectLanguages = statement<{ id: number; name: string }>(
  'assistant_languages',
  'select id, name from languages where id = any($1::bigint[])',
);

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
  const languages = await languagesOf(tx, [row]);
  return assistantRecord(row, languages.get(row.languageId) ?? '');
}

/** The record of a single assistant, with the name of its language. */
export async function describeDetails(tx: Tx, row: AssistantRow): Promise<AssistantDetailsRecord> {
  const languages = await languagesOf(tx, [row]);
  return assistantDetailsRecord(row, languages.get(row.languageId) ?? '');
}

/** The full records of assistants, with one query for the names of all languages. */
export async function describeAssistants(tx: Tx, rows: readonly AssistantRow[]): Promise<AssistantRecord[]> {
  const languages = await languagesOf(tx, rows);
  return rows.map((row) => assistantRecord(row, languages.get(row.languageId) ?? ''));
}

/** The names of the languages of assistants, by id. */
async function languagesOf(tx: Tx, rows: readonly AssistantRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.map(({ languageId }) => languageId))];
  const found = await tx.query(selectLanguages, [ids]);
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** The answer for an assistant that is missing, deleted or owned by another user. */
export function assistantNotFound(): DomainError {
  return new DomainError('not-found', 'Assistant not found');
}
