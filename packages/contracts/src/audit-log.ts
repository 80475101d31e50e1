/** The audit log: administrative writes, sign-ins and uses of tokens. Members read their own entries, operators all. */
import { z } from 'zod';
import { c, metadata } from './contract.ts';
import { isoMicrosecondsField } from './dates.ts';
import { envelope, pageQuery } from './envelope.ts';
import { queryErrors } from './errors.ts';
import { instant, integer, optionalQuery, text } from './fields.ts';

/** Page size of the list where the query names none. */
const DEFAULT_PER_PAGE = 15;

/** One entry. It has the names of the written fields, never their values. */
const auditRecord = z
  .strictObject({
    id: z.int(),
    at: isoMicrosecondsField,
    /** Null for the command line, and for a sign-in with an unknown address. */
    user_id: z.int().nullable(),
    /** Null also for a user who was removed. */
    user_email: z.string().nullable(),
    /** The API token that was used; null for other channels. */
    token_id: z.int().nullable(),
    channel: z.enum(['api', 'app', 'cli']),
    network_address: z.string().nullable(),
    operation: z.string(),
    /** The id of what was written; null where there is none. */
    object_id: z.int().nullable(),
    fields: z.array(z.string()),
    outcome: z.enum(['done', 'refused']),
  })
  .meta({ id: 'AuditEntry' });

/** One entry of the audit log. */
export type AuditRecord = z.output<typeof auditRecord>;

/** The endpoint of the audit log. */
export const auditLog = c.router({
  list: {
    method: 'GET',
    path: '/api/user/audit-log',
    summary: 'List who changed what, newest first; operators see the entries of all users',
    query: z.object({
      user_id: optionalQuery(integer()),
      /** The beginning of the operation's name. */
      operation: optionalQuery(text({ maximum: 64 })),
      from: optionalQuery(instant()),
      to: optionalQuery(instant()),
      ...pageQuery(DEFAULT_PER_PAGE),
    }),
    responses: { 200: envelope(auditRecord).meta({ id: 'AuditLogPage' }), ...queryErrors },
    metadata: metadata({ scope: 'read' }),
  },
});
