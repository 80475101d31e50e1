/** Lists, reads and restores the versions of an assistant. See docs/api.md, "Assistants". */
import {
  errorText,
  fieldErrors,
  isoMicroseconds,
  updateAssistantBody,
  type AssistantChanges,
  type AssistantDetailsRecord,
  type AssistantSettings,
  type AssistantVersionDetails,
  type AssistantVersionRecord,
} from '@parley/contracts';
import {
  ApiToken,
  Assistant,
  AssistantVersion,
  statement,
  type AssistantRow,
  type AssistantVersionRow,
  type Tx,
} from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { applyChanges } from './apply-changes.ts';
import { translateNumberTaken } from './invalid-assistant.ts';
import { assistantNotFound, describeDetails, lockAssistant, ownAssistants } from './own-assistant.ts';
import { storeChanged } from './update-assistant.ts';
import { readableSettings, storedSettings, type StoredSettings } from './version-settings.ts';

/** A version of an assistant. */
interface VersionOf {
  id: number;
  version: number;
}

/** The version, and the settings that are restored; absent: all of them. */
export interface RestoreVersionInput extends VersionOf {
  settings?: readonly (keyof AssistantSettings)[] | undefined;
}

type Listed = Omit<AssistantVersionRow, 'id' | 'userId' | 'assistantId' | 'replaced'>;

/** SQL, because it looks into JSON objects: what the next change of each setting replaced is its value in the version. */
const selectReplaced = statement<{ name: string; value: unknown }>(
  'settings_replaced_after_version',
  `select distinct on (name) name, value
   from assistant_versions v cross join jsonb_each(v.replaced) as settings (name, value)
   where v.assistant_id = $1 and v.version > $2 order by name, v.version`,
);

/**
 * Newest first.
 *
 * @throws DomainError `not-found`
 */
export async function listAssistantVersions(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<AssistantVersionRecord[]> {
  await findOwn(ctx.db, identity, id);
  const rows = await ctx.db.em.find(
    AssistantVersion,
    { assistantId: id },
    {
      orderBy: { version: 'desc' },
      fields: ['version', 'tokenId', 'restoredVersion', 'changed', 'createdAt'],
    },
  );
  return describe(ctx.db, rows);
}

/** @throws DomainError `not-found`, also when the version was dropped */
export async function findAssistantVersion(
  ctx: CoreContext,
  identity: Identity,
  wanted: VersionOf,
): Promise<AssistantVersionDetails> {
  const assistant = await findOwn(ctx.db, identity, wanted.id);
  const row = await findVersion(ctx.db, wanted);
  const [record] = await describe(ctx.db, [row]);
  if (!record) throw versionNotFound();
  return { ...record, settings: readableSettings(await settingsOf(ctx.db, assistant, wanted)) };
}

/**
 * Restoring is a change like any other: what the settings refer to must exist, and it makes a new version.
 *
 * @throws DomainError `not-found`; `invalid`, with messages per field, when the settings are not valid any more
 */
export async function restoreAssistantVersion(
  ctx: CoreContext,
  identity: Identity,
  { settings: names, ...wanted }: RestoreVersionInput,
): Promise<AssistantDetailsRecord> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const stored = await lockAssistant(tx, identity, wanted.id);
      await findVersion(tx, wanted);
      const settings = await settingsOf(tx, stored, wanted);
      const changes = asChanges(readableSettings(settings), names);
      // Headers of restored tools get the values that they had in the version.
      const base = changes.tools === undefined ? stored : { ...stored, tools: settings.tools };
      const changed = await applyChanges(ctx, tx, base, changes);
      await storeChanged(ctx, tx, identity, { stored, changed, restoredVersion: wanted.version });
      return describeDetails(tx, stored);
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

function asChanges(settings: AssistantSettings, names: RestoreVersionInput['settings']): AssistantChanges {
  const wanted = Object.entries(settings).filter(
    ([name]) => names?.includes(name as keyof AssistantSettings) ?? true,
  );
  const { data, error } = updateAssistantBody.safeParse(Object.fromEntries(wanted));
  if (error)
    throw new DomainError('invalid', errorText.validationFailed, { fields: fieldErrors(error.issues) });
  return data;
}

async function settingsOf(tx: Tx, assistant: AssistantRow, { version }: VersionOf): Promise<StoredSettings> {
  const replaced = await tx.query(selectReplaced, [assistant.id, version]);
  const before = Object.fromEntries(replaced.map(({ name, value }) => [name, value]));
  return { ...storedSettings(assistant), ...before };
}

async function findOwn(tx: Tx, identity: Identity, id: number): Promise<AssistantRow> {
  const row = await tx.em.findOne(Assistant, { id, ...ownAssistants(identity) });
  if (!row) throw assistantNotFound();
  return row;
}

async function findVersion(tx: Tx, { id: assistantId, version }: VersionOf): Promise<AssistantVersionRow> {
  const row = await tx.em.findOne(AssistantVersion, { assistantId, version });
  if (!row) throw versionNotFound();
  return row;
}

async function describe(tx: Tx, rows: readonly Listed[]): Promise<AssistantVersionRecord[]> {
  const ids = [...new Set(rows.flatMap(({ tokenId }) => tokenId ?? []))];
  const tokens = await tx.em.find(ApiToken, { id: ids });
  const names = new Map(tokens.map(({ id, name }) => [id, name]));
  return rows.map(({ version, tokenId, restoredVersion, changed, createdAt }) => ({
    version,
    created_at: isoMicroseconds(createdAt),
    token_id: tokenId,
    token_name: tokenId === null ? null : (names.get(tokenId) ?? null),
    restored_version: restoredVersion,
    changed_settings: changed,
  }));
}

function versionNotFound(): DomainError {
  return new DomainError('not-found', 'Version not found');
}
