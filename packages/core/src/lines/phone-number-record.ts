/** The one translator from our rows to a user's phone numbers of the wire. */
import { isoMicroseconds, type OwnNumberRecord } from '@parley/contracts';
import type { PhoneNumberRow } from '@parley/db';

/** A number's row and the assistants that use it. */
export interface OwnNumberRow extends PhoneNumberRow {
  assistants: { id: number; name: string; type: 'inbound' | 'outbound' }[];
}

/** SQL of {@link OwnNumberRow}; a condition on `n` follows. */
export const OWN_NUMBER_SELECT = `select n.*, coalesce((
    select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type) order by a.id)
    from assistants a where a.phone_number_id = n.id and a.deleted_at is null
  ), '[]') as assistants
  from phone_numbers n`;

/** With where it comes from and who has it. */
export function ownNumberRecord(row: OwnNumberRow): OwnNumberRecord {
  const isRinging = row.assistants.some(({ type }) => type === 'inbound');
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    country_code: row.countryCode,
    type_label: row.typeLabel,
    is_available: row.typeLabel !== 'Caller ID' && !isRinging,
    sip_trunk_id: row.trunkId,
    user_id: row.userId,
    assistants: row.assistants.map(({ id, name }) => ({ id, name })),
    created_at: isoMicroseconds(row.createdAt),
  };
}
