/** Folders and labels of assistants. Deleting one keeps its assistants. */
import {
  errorText,
  fieldFault,
  isoMicroseconds,
  wording,
  type AssistantGroupChanges,
  type AssistantGroupRecord,
  type NewAssistantGroup,
} from '@parley/contracts';
import {
  AssistantGroup,
  isUniqueViolation,
  LockMode,
  statement,
  type AssistantGroupRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireBelowMaximum } from '../users/require-below-maximum.ts';

type Kind = AssistantGroupRow['kind'];

/** Folders, and labels, of one user. */
const MAX_OF_KIND = 1000;
type GroupColor = AssistantGroupRecord['color'];

/** SQL, because it looks into a JSON array. */
const countAssistants = statement<{ id: number; count: number }>(
  'count_assistants_of_groups',
  `select g.id, count(a.id) from assistant_groups g
   join assistants a on a.user_id = g.user_id and a.deleted_at is null
     and (a.folder_id = g.id or a.label_ids @> to_jsonb(g.id))
   where g.id = any($1) group by g.id`,
);

/** SQL, because it removes an element of a JSON array. */
const removeLabel = statement(
  'remove_label_of_assistants',
  `update assistants set label_ids = (
     select coalesce(jsonb_agg(label order by ordinality), '[]')
     from jsonb_array_elements(label_ids) with ordinality as labels (label, ordinality) where label <> to_jsonb($2::bigint)
   ) where user_id = $1 and label_ids @> to_jsonb($2::bigint)`,
);

/** One page in the order of names, and the number of all. */
export async function listAssistantGroups(
  ctx: CoreContext,
  { userId }: Identity,
  { kind, page, perPage }: { kind: Kind; page: number; perPage: number },
): Promise<{ rows: AssistantGroupRecord[]; total: number }> {
  const [rows, total] = await ctx.db.em.findAndCount(
    AssistantGroup,
    { userId, kind },
    { orderBy: [{ name: 'asc' }, { id: 'asc' }], limit: perPage, offset: (page - 1) * perPage },
  );
  return { rows: await describe(ctx.db, rows), total };
}

/** @throws DomainError `invalid` when the user has one of this kind with the name */
export async function createAssistantGroup(
  ctx: CoreContext,
  { userId }: Identity,
  { kind, name, color = null }: NewAssistantGroup & { kind: Kind },
): Promise<AssistantGroupRecord> {
  const at = now(ctx);
  const what = kind === 'folder' ? 'folders' : 'labels';
  return write(ctx, async (tx) => {
    const count = (): Promise<number> => tx.em.count(AssistantGroup, { userId, kind });
    await requireBelowMaximum(tx, { userId, most: MAX_OF_KIND, what, field: 'name' }, count);
    return tx.em.create(AssistantGroup, { userId, kind, name, color, createdAt: at, updatedAt: at });
  });
}

/** @throws DomainError `not-found`; `invalid` when the user has another of this kind with the name */
export async function changeAssistantGroup(
  ctx: CoreContext,
  identity: Identity,
  { kind, id, name, color }: AssistantGroupChanges & { kind: Kind; id: number },
): Promise<AssistantGroupRecord> {
  return write(ctx, async (tx) => {
    const row = await lockGroup(tx, identity, { kind, id });
    if (name !== undefined) row.name = name;
    if (color !== undefined) row.color = color;
    row.updatedAt = now(ctx);
    return row;
  });
}

/** @throws DomainError `not-found` */
export async function deleteAssistantGroup(
  ctx: CoreContext,
  identity: Identity,
  { kind, id }: { kind: Kind; id: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // The lock waits for assistants that are being given the label. The foreign key takes assistants out of a folder.
    const row = await lockGroup(tx, identity, { kind, id });
    if (kind === 'label') await tx.query(removeLabel, [identity.userId, id]);
    tx.em.remove(row);
  });
}

async function lockGroup(
  tx: Transaction,
  { userId }: Identity,
  { kind, id }: { kind: Kind; id: number },
): Promise<AssistantGroupRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const row = await tx.em.findOne(AssistantGroup, { id, userId, kind }, lock);
  if (!row) throw new DomainError('not-found', kind === 'folder' ? 'Folder not found' : 'Label not found');
  return row;
}

/** The unique index decides between two requests with the same name. */
async function write(
  ctx: CoreContext,
  change: (tx: Transaction) => Promise<AssistantGroupRow>,
): Promise<AssistantGroupRecord> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const row = await change(tx);
      await tx.em.flush();
      const [record] = await describe(tx, [row]);
      if (!record) throw new Error('A group has no record');
      return record;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'assistant_groups_name_unique')) throw error;
    throw new DomainError('invalid', errorText.invalidData, { fields: fieldFault('name', wording.taken) });
  }
}

async function describe(tx: Tx, rows: readonly AssistantGroupRow[]): Promise<AssistantGroupRecord[]> {
  const counts = await tx.query(countAssistants, [rows.map(({ id }) => id)]);
  const byId = new Map(counts.map(({ id, count }) => [id, count]));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    color: row.color as GroupColor,
    assistants_count: byId.get(row.id) ?? 0,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  }));
}
