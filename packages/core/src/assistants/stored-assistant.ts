/**
 * Assistants in the database: the statements that read and write whole rows. They are SQL and not the ORM's, so that a
 * use case can be part of its caller's transaction (`Idempotency-Key`).
 */
import { json, statement, type AssistantRow, type SqlValue, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

/** A row with the name of its language. */
export type StoredAssistant = AssistantRow & { languageName: string };

/** A row that has no id yet. */
export type NewAssistantRow = Omit<AssistantRow, 'id'>;

type Column = Extract<keyof NewAssistantRow, string>;

/** Every column there is, and how its value is bound. */
const BINDINGS: Record<Column, 'plain' | 'json'> = {
  userId: 'plain',
  uuid: 'plain',
  name: 'plain',
  type: 'plain',
  status: 'plain',
  mode: 'plain',
  phoneNumberId: 'plain',
  engineId: 'plain',
  synthesizerId: 'plain',
  transcriberId: 'plain',
  instanceId: 'plain',
  transcriberProviderId: 'plain',
  synthesizerProviderId: 'plain',
  voiceId: 'plain',
  languageId: 'plain',
  llmModelId: 'plain',
  multimodalModelId: 'plain',
  timezone: 'plain',
  initialMessage: 'plain',
  systemPrompt: 'plain',
  variables: 'json',
  tools: 'json',
  isPostCallEvaluated: 'plain',
  postCallSchema: 'json',
  areFillersOn: 'plain',
  fillerConfig: 'json',
  isWebhookActive: 'plain',
  webhookUrl: 'plain',
  inboundWebhookUrl: 'plain',
  isWebhookOnlyOnCompleted: 'plain',
  isRecordingInWebhook: 'plain',
  maxDurationSeconds: 'plain',
  maxSilenceSeconds: 'plain',
  reengagementSeconds: 'plain',
  isRecorded: 'plain',
  isEndedOnVoicemail: 'plain',
  llmTemperature: 'plain',
  voiceStability: 'plain',
  voiceSimilarity: 'plain',
  speechSpeed: 'plain',
  ambientSound: 'plain',
  ambientSoundVolume: 'plain',
  isInterruptible: 'plain',
  isNoiseCancelled: 'plain',
  endpointType: 'plain',
  endpointSensitivity: 'plain',
  interruptSensitivity: 'plain',
  minInterruptWords: 'plain',
  isCustomerFirst: 'plain',
  flowsPlatformId: 'plain',
  knowledgebaseId: 'plain',
  knowledgebaseMode: 'plain',
  widgetSettings: 'json',
  createdAt: 'plain',
  updatedAt: 'plain',
  deletedAt: 'plain',
  erasedAt: 'plain',
};

const columns = Object.keys(BINDINGS) as Column[];
const names = columns.map((column) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const insertStatement = statement<{ id: number }>(
  'insert_assistant',
  `insert into assistants (${names.join(', ')})
   values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
);
const updateStatement = statement(
  'update_assistant',
  `update assistants set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
);

/** The start of every question about assistants: `a` is the assistant, `g` its language. */
const SELECT = `select a.*, g.name as language_name from assistants a join languages g on g.id = a.language_id`;

const OWNED = `${SELECT} where a.user_id = $1 and a.deleted_at is null`;

const selectOne = statement<StoredAssistant>('find_assistant', `${OWNED} and a.id = $2`);
const lockOne = statement<StoredAssistant>('lock_assistant', `${OWNED} and a.id = $2 for update of a`);
const selectAll = statement<StoredAssistant>(
  'list_assistants',
  `${OWNED} and ($2::text is null or a.type = $2) order by a.id desc`,
);
const selectPage = statement<StoredAssistant>(
  'page_of_assistants',
  `${OWNED} order by a.id desc limit $2 offset $3`,
);
const countAll = statement<{ total: number }>(
  'count_assistants',
  `select count(*) as total from assistants where user_id = $1 and deleted_at is null`,
);

/** @returns the id it was given */
export async function insertAssistant(tx: Tx, row: NewAssistantRow): Promise<number> {
  const [inserted] = await tx.query(insertStatement, valuesOf(row));
  if (!inserted) throw new Error('An assistant could not be written');
  return inserted.id;
}

/** Writes every column of a row that the caller has locked. */
export async function saveAssistant(tx: Tx, row: AssistantRow): Promise<void> {
  await tx.query(updateStatement, [row.id, ...valuesOf(row)]);
}

function valuesOf(row: NewAssistantRow): SqlValue[] {
  return columns.map((column) =>
    BINDINGS[column] === 'json' ? json(row[column]) : (row[column] as SqlValue),
  );
}

/** @throws DomainError `not-found`, also when it is deleted or somebody else's */
export async function readAssistant(tx: Tx, owner: Owner, id: number): Promise<StoredAssistant> {
  return existing(await tx.query(selectOne, [owner.userId, id]));
}

/**
 * Nobody else changes it until the transaction ends.
 *
 * @throws DomainError `not-found`, also when it is deleted or somebody else's
 */
export async function lockAssistant(tx: Tx, owner: Owner, id: number): Promise<StoredAssistant> {
  return existing(await tx.query(lockOne, [owner.userId, id]));
}

/** All of an owner's, newest first; null: of both types. */
export async function readAssistants(
  tx: Tx,
  owner: Owner,
  type: AssistantRow['type'] | null,
): Promise<StoredAssistant[]> {
  return tx.query(selectAll, [owner.userId, type]);
}

/** One page of an owner's, newest first, and how many there are on all pages. */
export async function readAssistantPage(
  tx: Tx,
  owner: Owner,
  page: { page: number; perPage: number },
): Promise<{ rows: StoredAssistant[]; total: number }> {
  const [count] = await tx.query(countAll, [owner.userId]);
  const rows = await tx.query(selectPage, [owner.userId, page.perPage, (page.page - 1) * page.perPage]);
  return { rows, total: count?.total ?? 0 };
}

type Owner = Pick<Identity, 'userId'>;

function existing(rows: readonly StoredAssistant[]): StoredAssistant {
  const [row] = rows;
  if (!row) throw assistantNotFound();
  return row;
}

/** The one answer for what is missing, deleted, or somebody else's. */
export function assistantNotFound(): DomainError {
  return new DomainError('not-found', 'Assistant not found');
}
