/**
 * The audit log: who changed what, when and from where. Entries have no foreign keys, because they outlive their users and
 * objects. A trigger refuses every change and every removal except that of the retention job and of a restore.
 */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant } from './columns.ts';

/** One write, sign-in or use of a token. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  indexes: [
    { name: 'audit_entries_user_id_id_index', properties: ['userId', 'id'] },
    { name: 'audit_entries_at_index', properties: ['at'] },
  ],
  properties: {
    id: generatedId(),
    at: instant(),
    /** Null for the command line, and for a sign-in with an unknown address. */
    userId: p.bigint('number').strictNullable(),
    /** The API token; null for other channels. */
    tokenId: p.bigint('number').strictNullable(),
    /** REST API, admin app or command line. */
    channel: p.enum(['api', 'app', 'cli']),
    /** The client's; null for the command line. */
    networkAddress: p.text().strictNullable(),
    /** The operation of the contract or the admin app, for example `assistants.update`. */
    operation: p.text(),
    objectId: p.bigint('number').strictNullable(),
    /** The names of the fields that were written, never their values. */
    fields: p.array().columnType('text[]'),
    outcome: p.enum(['done', 'refused']),
  },
});

/** A row of {@link AuditEntry}. */
export type AuditEntryRow = InferEntity<typeof AuditEntry>;
