/** How an entry of the audit log is shown. */
import type { AuditRecord } from '@parley/contracts';
import { fieldNames, operationTexts } from './operations/texts.ts';
import { texts } from './texts.ts';

/** What was done, or what was refused. Only sign-ins are entered when they are refused. */
export function operationOf({ operation, outcome }: Pick<AuditRecord, 'operation' | 'outcome'>): string {
  const done = operationTexts[operation] ?? operation;
  if (outcome === 'done') return done;
  return operation === 'session.signIn' ? texts.list.signInRefused : texts.list.refused(done);
}

/** Who did it. */
export function actorOf(entry: Pick<AuditRecord, 'channel' | 'user_id' | 'user_email'>): string {
  if (entry.channel === 'cli') return texts.list.commandLine;
  if (entry.user_email !== null) return entry.user_email;
  return entry.user_id === null ? texts.list.unknownUser : texts.list.removedUser(entry.user_id);
}

/** Where it came from. */
export function sourceOf({
  channel,
  network_address: address,
}: Pick<AuditRecord, 'channel' | 'network_address'>): string {
  const name = texts.channels[channel];
  return address === null ? name : `${name}, ${address}`;
}

/** The fields that were written, in words: `Name, SIP trunk, maximum calls per day`. A dash where there are none. */
export function fieldsOf({ fields }: Pick<AuditRecord, 'fields'>): string {
  const words = [...new Set(fields.map(fieldNames.inWords))].join(', ');
  return words === '' ? texts.list.noFields : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
