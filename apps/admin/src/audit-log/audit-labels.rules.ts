/** How an entry of the audit log is shown. */
import type { AuditRecord } from '@parley/contracts';
import { texts } from './texts.ts';

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
