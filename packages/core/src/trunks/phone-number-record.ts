/** Translates phone numbers to the API's records, with the assistants that use them. */
import { isoMicroseconds, type ListedNumberRecord, type OwnNumberRecord } from '@parley/contracts';
import { statement, type AssistantRow, type PhoneNumberRow, type Tx } from '@parley/db';
import { phoneNumberRecord } from '../lookups/list-lookups.ts';
import { inboundRouteRecord } from './inbound-route-record.ts';

/** One query finds the assistants of all numbers. */
export async function describeNumbers(
  tx: Tx,
  numbers: readonly PhoneNumberRow[],
): Promise<OwnNumberRecord[]> {
  const users = await assistantsWith(
    tx,
    numbers.map(({ id }) => id),
  );
  return numbers.map((number) =>
    ownNumberRecord(
      number,
      users.filter(({ phoneNumberId }) => phoneNumberId === number.id),
    ),
  );
}

type NumberUser = Pick<AssistantRow, 'id' | 'name' | 'type' | 'phoneNumberId'>;

/** SQL, because the ORM takes several times as long for the names that a record refers to (goals P16). */
const selectNumberUsers = statement<NumberUser>(
  'number_users',
  `select id, name, type, phone_number_id from assistants
   where phone_number_id = any($1::bigint[]) and deleted_at is null order by id`,
);

/** The assistants that use any of these numbers. */
export function assistantsWith(tx: Tx, numberIds: number[]): Promise<NumberUser[]> {
  return tx.query(selectNumberUsers, [numberIds]);
}

const TYPES = { Normal: 'normal', SIP: 'sip', 'Caller ID': 'caller_id' } as const;

/** The shape of other products of the API family. */
export function listedNumberRecord(row: PhoneNumberRow): ListedNumberRecord {
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    country_code: row.countryCode,
    nickname: row.nickname,
    type: TYPES[row.typeLabel],
    type_label: row.typeLabel,
    sms_capable: row.isSmsCapable,
    sip_trunk_id: row.trunkId,
    carrier_account_id: row.carrierAccountId,
    created_at: isoMicroseconds(row.createdAt),
  };
}

function ownNumberRecord(row: PhoneNumberRow, assistants: readonly NumberUser[]): OwnNumberRecord {
  const isRinging = assistants.some(({ type }) => type === 'inbound');
  return {
    ...phoneNumberRecord(row, isRinging),
    sip_trunk_id: row.trunkId,
    carrier_account_id: row.carrierAccountId,
    nickname: row.nickname,
    sms_capable: row.isSmsCapable,
    user_id: row.userId,
    assistants: assistants.map(({ id, name }) => ({ id, name })),
    inbound_route: row.inboundRoute && inboundRouteRecord(row.inboundRoute),
    created_at: isoMicroseconds(row.createdAt),
  };
}
