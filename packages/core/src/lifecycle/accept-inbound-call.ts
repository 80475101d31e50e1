/**
 * An inbound call: which number it calls, whether it may come from where it came, and which assistant answers. Enters the
 * call's life cycle at step 5.
 */
import { isIP, isIPv6 } from 'node:net';
import type { TrunkRecord } from '@parley/contracts';
import { isUniqueViolation, statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { countryOfNumber, readUserPart } from '../shared/phone-number.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import type { InboundRefusalReason } from '../calls/inbound-refusals.ts';
import { insertCall } from '../calls/insert-call.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';
import {
  calledUsers,
  callerUser,
  possibleCalledUsers,
  type InboundNumbers,
} from './inbound-numbers.rules.ts';

/** What is known of an INVITE that came in. */
export interface InboundCallInput extends InboundNumbers {
  /** The user part that diverted the call first; empty or absent where nobody did. */
  firstDiverting?: string;
  sipCallId: string;
  /** IP address the INVITE came from, without port. */
  sourceAddress: string;
  voiceProcess: VoiceFence;
}

/** `reject` is a SIP status. */
export type InboundCallResult = { call: CallForVoice } | { reject: number; reason: InboundRefusalReason };

const NOT_FOUND = 404;
const TEMPORARILY_UNAVAILABLE = 480;
const BUSY_HERE = 486;

/** Longer than any number or user part that is meant seriously. */
const MAX_SHOWN_LENGTH = 64;

interface CalledNumber {
  inboundCallerSource: TrunkRecord['inbound_caller_source'];
  inboundCalledSource: TrunkRecord['inbound_called_source'];
  /** Address or name of the number's own trunk. */
  host: string;
  /** The country of that trunk, if it has one. */
  defaultCountry: string | null;
  /** A member's trunk with the address of a shared trunk proves nothing: the operator assigns the numbers of that address. */
  isAddressShared: boolean;
  phoneNumber: string;
  userId: number;
  trunkId: number;
  assistantId: number | null;
  assistantStatus: 'active' | 'inactive' | null;
  isUserDisabled: boolean;
}

const findNumber = statement<CalledNumber>(
  'find_called_number',
  `select n.phone_number, n.user_id, n.trunk_id, t.host, t.default_country,
     t.inbound_caller_source, t.inbound_called_source, a.id as assistant_id, a.status as assistant_status,
     u.disabled_at is not null as is_user_disabled,
     t.user_id is not null and exists (
       select 1 from trunks s where s.user_id is null and lower(s.host) = lower(t.host)) as is_address_shared
   from phone_numbers n join trunks t on t.id = n.trunk_id join users u on u.id = n.user_id
   left join assistants a on a.phone_number_id = n.id and a.type = 'inbound' and a.deleted_at is null
   where n.phone_number = any($1::text[]) order by array_position($1::text[], n.phone_number)`,
);

const findCountries = statement<{ countryCode: string }>(
  'find_countries_of_numbers',
  `select country_code from phone_numbers
   union select default_country from trunks where default_country is not null`,
);

/**
 * Writes the call and returns what voice needs to handle it, or the SIP status to refuse it with. A caller from an address
 * that is not the number's own trunk gets the answer for a missing number, so that strangers cannot find out which numbers
 * exist.
 */
export async function acceptInboundCall(
  ctx: CoreContext,
  input: InboundCallInput,
): Promise<InboundCallResult> {
  const called = await findCalled(ctx, input);
  if (typeof called === 'string') return { reject: NOT_FOUND, reason: called };
  if (called.isUserDisabled) return { reject: TEMPORARILY_UNAVAILABLE, reason: 'account_disabled' };
  if (called.assistantId === null || called.assistantStatus !== 'active')
    return { reject: TEMPORARILY_UNAVAILABLE, reason: 'no_assistant' };
  const callId = await writeCall(ctx, input, { ...called, assistantId: called.assistantId });
  if (callId === null) return { reject: BUSY_HERE, reason: 'repeated' };
  return { call: await loadCallForVoice(ctx, callId) };
}

/** @returns the reason when no number at our end can be meant, or none that belongs to the trunk from which the call comes */
async function findCalled(
  ctx: CoreContext,
  input: InboundCallInput,
): Promise<CalledNumber | 'unknown_number' | 'other_trunk'> {
  const countries = await ctx.db.query(findCountries, []);
  const readings = new Map(
    possibleCalledUsers(input).map((user) => [
      user,
      [readUserPart(user, null), ...countries.map(({ countryCode }) => readUserPart(user, countryCode))],
    ]),
  );
  const numbers = await ctx.db.query(findNumber, [[...new Set([...readings.values()].flat())]]);
  const found = numbers
    .map((called) => ({ called, place: placeOf(called, input, readings) }))
    .filter(({ place }) => place !== -1)
    .sort((one, other) => one.place - other.place);
  for (const { called } of found) {
    if (!called.isAddressShared && (await isAddressOf(ctx, input.sourceAddress, called.host))) return called;
  }
  return found.length > 0 ? 'other_trunk' : 'unknown_number';
}

/**
 * The first place in the order of its trunk where the number is meant; -1 where it is not. `2025550180` is a number of the USA
 * or of Egypt: the country of the trunk decides. Without one, every reading counts.
 */
function placeOf(
  { defaultCountry, phoneNumber, inboundCalledSource }: CalledNumber,
  input: InboundCallInput,
  readings: ReadonlyMap<string, readonly string[]>,
): number {
  return calledUsers(inboundCalledSource, input).findIndex((user) =>
    defaultCountry === null
      ? readings.get(user)?.includes(phoneNumber)
      : readUserPart(user, defaultCountry) === phoneNumber,
  );
}

/** @returns null when the assistant cannot be loaded, or when the same INVITE came twice */
async function writeCall(
  ctx: CoreContext,
  input: InboundCallInput,
  called: CalledNumber & { assistantId: number },
): Promise<number | null> {
  const country = called.defaultCountry ?? countryOfNumber(called.phoneNumber);
  try {
    return await ctx.db.transaction(async (tx) => {
      const configuration = await freezeConfiguration(tx, called);
      if (!configuration) return null;
      return insertCall(tx, {
        userId: called.userId,
        type: 'inbound',
        configuration,
        assistantPhoneNumber: called.phoneNumber,
        clientPhoneNumber: shownNumber(callerUser(called.inboundCallerSource, input), country),
        divertedFrom: shownNumber(input.firstDiverting ?? '', country) || null,
        inputVariables: {},
        trunkId: called.trunkId,
        sipCallId: input.sipCallId,
        at: now(ctx),
        heldBy: input.voiceProcess,
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function shownNumber(user: string, country: string): string {
  return readUserPart(user, country).slice(0, MAX_SHOWN_LENGTH);
}

/** @param host - IP address or name of a trunk */
async function isAddressOf(ctx: CoreContext, address: string, host: string): Promise<boolean> {
  const source = plainAddress(address);
  if (isIP(host) !== 0) return plainAddress(host) === source;
  const resolver = ctx.resolvers[isIPv6(source) ? 6 : 4];
  const resolved = await resolver.resolveAll(host).catch(() => []);
  return resolved.some((entry) => plainAddress(entry) === source);
}

/** An IPv4 address as it is seen on an IPv6 socket (RFC 4291 section 2.5.5.2) is the same address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
