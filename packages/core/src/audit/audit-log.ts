/**
 * Writes the audit log: administrative writes, sign-ins and uses of tokens. SQL, because it runs with every write: one
 * statement without a transaction of its own. See docs/decisions/audit-log.md.
 */
import { statement, type AuditEntryRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';

/** What happened. Fields that are absent are null or empty. */
export interface AuditEvent {
  channel: AuditEntryRow['channel'];
  /** The operation of the contract or the admin app, for example `assistants.update`. */
  operation: string;
  userId?: number | null;
  tokenId?: number | null;
  networkAddress?: string | null;
  objectId?: number | null;
  /** The names of the fields that were written, never their values. */
  fields?: readonly string[];
  outcome?: AuditEntryRow['outcome'];
}

const insertEntry = statement(
  'insert_audit_entry',
  `insert into audit_entries (at, user_id, token_id, channel, network_address, operation, object_id, fields, outcome)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Adds an entry. Never called with a value of a field. */
export async function writeAudit(ctx: CoreContext, event: AuditEvent): Promise<void> {
  await ctx.db.query(insertEntry, [
    now(ctx),
    event.userId ?? null,
    event.tokenId ?? null,
    event.channel,
    event.networkAddress ?? null,
    event.operation,
    event.objectId ?? null,
    [...(event.fields ?? [])],
    event.outcome ?? 'done',
  ]);
}

/**
 * The same after a write that is committed: an entry that cannot be stored must not turn the answer into an error, because
 * the client would repeat the write.
 */
export async function auditCommitted(ctx: CoreContext, event: AuditEvent): Promise<void> {
  try {
    await writeAudit(ctx, event);
  } catch (error) {
    const { operation, userId, objectId } = event;
    ctx.log.error(
      { err: error, operation, userId, objectId },
      'An entry of the audit log could not be stored',
    );
  }
}
