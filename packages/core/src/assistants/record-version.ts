/**
 * Makes a version of an assistant, in the transaction that changes it and under the lock of its row. A version stores what
 * its change replaced, so that it is no larger than what clients sent.
 */
import { isDeepStrictEqual } from 'node:util';
import { assistantSettingNames, MAX_ASSISTANT_VERSIONS } from '@parley/contracts';
import { AssistantVersion, statement, type AssistantRow, type Transaction } from '@parley/db';
import { storedSettings } from './version-settings.ts';

/** Reads the number of the last version, and deletes the oldest so that with one more there are at most as many as are kept. */
const dropOldestVersions = statement<{ version: number }>(
  'drop_oldest_versions',
  `with last as (select max(version) as version from assistant_versions where assistant_id = $1),
     dropped as (
       delete from assistant_versions v using last
       where v.assistant_id = $1 and v.version <= last.version + 1 - $2::integer
     )
   select coalesce(version, 0) as version from last`,
);

/** A change that has been validated and is not stored yet. */
interface VersionedChange {
  stored: AssistantRow;
  changed: AssistantRow;
  /** Null: no version was restored. */
  restoredVersion: number | null;
  /** Null for the admin app. */
  tokenId: number | null;
}

/** The version of a new assistant. */
export async function recordFirstVersion(
  tx: Transaction,
  { id: assistantId, userId }: AssistantRow,
  { tokenId, at }: { tokenId: number | null; at: Date },
): Promise<void> {
  const none = { restoredVersion: null, changed: [], replaced: {} };
  tx.em.create(AssistantVersion, { userId, assistantId, version: 1, tokenId, ...none, createdAt: at });
  await tx.em.flush();
}

/** Nothing where no setting changes. An assistant without versions gets one of its state before the change. */
export async function recordVersion(
  tx: Transaction,
  { stored, changed: row, restoredVersion, tokenId }: VersionedChange,
): Promise<void> {
  const [before, after] = [storedSettings(stored), storedSettings(row)];
  const changed = assistantSettingNames.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return;
  const { id: assistantId, userId } = stored;
  const [last = { version: 0 }] = await tx.query(dropOldestVersions, [assistantId, MAX_ASSISTANT_VERSIONS]);
  if (last.version === 0) {
    await recordFirstVersion(tx, stored, { tokenId: null, at: stored.updatedAt });
    last.version = 1;
  }
  const replaced = Object.fromEntries(changed.map((name) => [name, before[name]]));
  const own = { userId, assistantId, version: last.version + 1, tokenId, restoredVersion };
  tx.em.create(AssistantVersion, { ...own, changed, replaced, createdAt: row.updatedAt });
}
