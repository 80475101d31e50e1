/** Translates a trunk's row to the API's record, which has no password. */
import { familyCallingFormat, isoMicroseconds, trunkCodecs, type TrunkRecord } from '@parley/contracts';
import type { TrunkRow } from '@parley/db';
import type { Identity } from '../users/identity.ts';
import { trunkStateAt } from '../capacity/trunk-health.rules.ts';
import { registrationRecord, type RegistrationState } from './registration-state.ts';

/**
 * @param reader - members do not see the address and the user name of a shared trunk
 * @param current - the registration is missing for a trunk that no process has registered yet
 */
export function trunkRecord(
  row: TrunkRow,
  reader: Identity,
  { at, registration }: { at: Date; registration: RegistrationState | undefined },
): TrunkRecord {
  const isShared = row.userId === null;
  const isHidden = isShared && reader.role !== 'operator';
  return {
    id: row.id,
    name: row.name,
    host: isHidden ? null : row.host,
    port: row.port,
    other_hosts: isHidden ? [] : row.otherHosts,
    priority: row.priority,
    transport: row.transport,
    tls_verify: row.tlsVerify,
    media_encryption: row.mediaEncryption,
    codecs: trunkCodecs.filter((codec) => row.codecs.includes(codec)).toSorted(byPlaceIn(row.codecs)),
    username: isHidden ? null : row.username,
    auth_username: isHidden ? null : row.authUsername,
    has_password: row.passwordSealed !== null,
    reach: row.reach,
    caller_number: row.callerNumber,
    default_country: row.defaultCountry,
    max_calls: row.maxCalls,
    max_cps: row.maxCps,
    max_calls_per_second: row.maxCallsPerSecond,
    max_calls_per_day: row.maxCallsPerDay,
    max_cost_per_day: row.maxCostPerDay,
    rtp_timeout_seconds: row.rtpTimeoutSeconds,
    dtmf: row.dtmf,
    number_format: row.numberFormat,
    inbound_caller_source: row.inboundCallerSource,
    inbound_called_source: row.inboundCalledSource,
    outbound_caller_header: row.outboundCallerHeader,
    incoming_refer: row.incomingRefer,
    from_user: isHidden ? null : row.fromUser,
    from_name: isHidden ? null : row.fromName,
    registers: row.registers,
    registrar: isHidden ? null : row.registrar,
    register_expires: row.registerExpires,
    registration: row.registers ? registrationRecord(registration, isHidden) : null,
    health: {
      state: trunkStateAt(row, at),
      paused_until: row.pausedUntil && isoMicroseconds(row.pausedUntil),
      first_success_at: row.firstSuccessAt && isoMicroseconds(row.firstSuccessAt),
    },
    is_test: row.isTest,
    is_shared: isShared,
    created_at: isoMicroseconds(row.createdAt),
    ...inFamilyTerms(row, isHidden),
  };
}

/** The same trunk as other products of the API family describe it. */
function inFamilyTerms(row: TrunkRow, isHidden: boolean) {
  const isExtension = row.registers && row.callerNumber === null && row.fromUser !== null;
  return {
    sip_trunk_type: isExtension ? 'extension' : 'number',
    phone_number: isExtension && !isHidden ? row.fromUser : row.callerNumber,
    sip_address: isHidden ? null : row.host,
    sip_username: isHidden ? null : row.username,
    sip_calling_format: familyCallingFormat(row.numberFormat),
    country_code: row.defaultCountry,
    inbound_authorization_type: row.registers ? 'auth' : 'ip',
  } as const;
}

function byPlaceIn(order: readonly string[]) {
  return (one: string, other: string): number => order.indexOf(one) - order.indexOf(other);
}
