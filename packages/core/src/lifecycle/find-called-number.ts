/**
 * Which of our numbers an inbound call is for. A number belongs to its trunk: only calls from the addresses of the trunk reach
 * it, so that strangers cannot find out which numbers exist.
 */
import { isIP, isIPv6 } from 'node:net';
import { readHostPort, type HostPort } from '@parley/contracts';
import { statement, type StoredRoute, type TrunkRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { readUserPart } from '../shared/phone-number.ts';
import { registrarsOf } from '../shared/registrars-of.ts';
import { namesNumber } from './called-number.rules.ts';
import { calledUsers, possibleCalledUsers, type InboundNumbers } from './inbound-numbers.rules.ts';

/** The numbers of an INVITE, and where it came from. */
export interface CalledParties extends InboundNumbers {
  /** IP address the INVITE came from, without port. */
  sourceAddress: string;
}

/** A number, its trunk, and the assistant that answers it. */
export interface CalledNumber extends Pick<
  TrunkRow,
  | 'host'
  | 'port'
  | 'otherHosts'
  | 'registrar'
  | 'defaultCountry'
  | 'inboundCallerSource'
  | 'inboundCalledSource'
> {
  /** The trunk is one of the operators' shared ones. */
  isShared: boolean;
  numberId: number;
  phoneNumber: string;
  userId: number;
  trunkId: number;
  /** Replaces the assistant of the number. */
  inboundRoute: StoredRoute | null;
  assistantId: number | null;
  assistantStatus: 'active' | 'inactive' | null;
  isUserDisabled: boolean;
}

type TrunkHosts = Pick<TrunkRow, 'host' | 'port' | 'otherHosts' | 'registrar'>;

const CALLED_NUMBER = `
  select n.id as number_id, n.phone_number, n.user_id, n.trunk_id, n.inbound_route, t.host, t.port, t.other_hosts, case when t.registers then t.registrar end as registrar,
    t.default_country, t.inbound_caller_source, t.inbound_called_source, t.user_id is null as is_shared, a.id as assistant_id, a.status as assistant_status,
    u.disabled_at is not null as is_user_disabled
  from phone_numbers n join trunks t on t.id = n.trunk_id join users u on u.id = n.user_id
  left join assistants a on a.phone_number_id = n.id and a.type = 'inbound' and a.deleted_at is null`;

const findNumber = statement<CalledNumber>(
  'find_called_number',
  `${CALLED_NUMBER}
   where n.phone_number = any($1::text[]) order by array_position($1::text[], n.phone_number)`,
);

const findNumberOfCarrier = statement<CalledNumber>(
  'find_number_of_carrier_account',
  `${CALLED_NUMBER} where n.phone_number = $1 and n.carrier_account_id = $2`,
);

/**
 * The number of the trunk that registers as this account. It must be registered now, so that a trunk cannot claim the
 * account of another.
 */
const findNumberOfAccount = statement<CalledNumber>(
  'find_number_of_account',
  `${CALLED_NUMBER} join trunk_registrations r on r.trunk_id = t.id
   where t.registers and t.username = $1 and r.expires_at > now()
     and not exists (select 1 from phone_numbers o where o.trunk_id = t.id and o.id <> n.id)
   order by t.user_id nulls first, t.id`,
);

const findCountries = statement<{ countryCode: string }>(
  'find_countries_of_numbers',
  `select country_code from phone_numbers
   union select default_country from trunks where default_country is not null`,
);

const findSharedTrunks = statement<TrunkHosts>(
  'find_hosts_of_shared_trunks',
  'select host, port, other_hosts, case when registers then registrar end as registrar from trunks where user_id is null',
);

/** @returns the reason when no number at our end can be meant, or none that belongs to the trunk from which the call comes */
export async function findCalledNumber(
  ctx: CoreContext,
  input: CalledParties,
): Promise<CalledNumber | 'unknown_number' | 'other_trunk'> {
  const found = await findNamed(ctx, input);
  for (const called of found) {
    if (await isFromTrunk(ctx, input.sourceAddress, called)) return called;
  }
  if (found.length > 0) return 'other_trunk';
  return (await findByAccount(ctx, input)) ?? 'unknown_number';
}

/** @param phoneNumber - E.164 @returns null when it is not a number of that account at a carrier */
export async function findCarrierNumber(
  ctx: CoreContext,
  carrierAccountId: number,
  phoneNumber: string,
): Promise<CalledNumber | null> {
  const [called] = await ctx.db.query(findNumberOfCarrier, [phoneNumber, carrierAccountId]);
  return called ?? null;
}

/** The numbers that may be meant, by the order of the places where their trunks name them. */
async function findNamed(ctx: CoreContext, input: InboundNumbers): Promise<CalledNumber[]> {
  const countries = await ctx.db.query(findCountries, []);
  const readings = new Map(
    possibleCalledUsers(input).map((user) => [
      user,
      [readUserPart(user, null), ...countries.map(({ countryCode }) => readUserPart(user, countryCode))],
    ]),
  );
  const numbers = await ctx.db.query(findNumber, [[...new Set([...readings.values()].flat())]]);
  return numbers
    .map((called) => ({ called, place: placeOf(called, input, readings) }))
    .filter(({ place }) => place !== -1)
    .toSorted((one, other) => one.place - other.place)
    .map(({ called }) => called);
}

/**
 * The first place in the order of its trunk where the number is meant; -1 where it is not. `2025550180` is a number of the USA
 * or of Egypt: the country of the trunk decides. Without one, every reading counts.
 */
function placeOf(
  { defaultCountry, phoneNumber, inboundCalledSource }: CalledNumber,
  input: InboundNumbers,
  readings: ReadonlyMap<string, readonly string[]>,
): number {
  return calledUsers(inboundCalledSource, input).findIndex((user) =>
    defaultCountry === null
      ? readings.get(user)?.includes(phoneNumber)
      : readUserPart(user, defaultCountry) === phoneNumber,
  );
}

/** A registrar calls our Contact, whose user is the account. A trunk with one number needs no other hint. */
async function findByAccount(ctx: CoreContext, input: CalledParties): Promise<CalledNumber | null> {
  const { to: account, sourceAddress } = input;
  if (calledUsers('request_uri', input).some((user) => namesNumber(user, account))) return null;
  for (const called of await ctx.db.query(findNumberOfAccount, [account])) {
    if (await isAddressOfAny(ctx, sourceAddress, registrarsOf(called))) return called;
  }
  return null;
}

async function isFromTrunk(ctx: CoreContext, address: string, called: CalledNumber): Promise<boolean> {
  if (!(await isAddressOfAny(ctx, address, hostsOf(called)))) return false;
  return called.isShared || !(await isShared(ctx, address));
}

/**
 * The operator assigns the numbers of the address of a shared trunk, so that a call from there does not reach a number of a member's
 * own trunk, however that trunk names the address.
 */
async function isShared(ctx: CoreContext, address: string): Promise<boolean> {
  const trunks = await ctx.db.query(findSharedTrunks, []);
  return isAddressOfAny(ctx, address, trunks.flatMap(hostsOf));
}

async function isAddressOfAny(
  ctx: CoreContext,
  address: string,
  hosts: readonly HostPort[],
): Promise<boolean> {
  const found = await Promise.all(hosts.map((host) => isAddressOf(ctx, address, host)));
  return found.includes(true);
}

/** The hosts from which calls of a trunk come. */
function hostsOf(trunk: TrunkHosts): HostPort[] {
  const { host, port } = trunk;
  const others = trunk.otherHosts.flatMap((one) => readHostPort(one) ?? []);
  const registrar = registrarOf(trunk);
  return [{ host, port }, ...others, ...(registrar === null ? [] : [registrar])];
}

function registrarOf({ registrar }: Pick<TrunkRow, 'registrar'>): HostPort | null {
  return registrar === null ? null : readHostPort(registrar);
}

/** Calls come from any server of a trunk: also from those that its SRV records name. */
async function isAddressOf(ctx: CoreContext, address: string, { host, port }: HostPort): Promise<boolean> {
  const source = plainAddress(address);
  if (isIP(host) !== 0) return plainAddress(host) === source;
  const resolved = await ctx.sipServers[isIPv6(source) ? 6 : 4].allAddresses({ host, port });
  return resolved.some((entry) => plainAddress(entry) === source);
}

/** An IPv4 address as it is seen on an IPv6 socket (RFC 4291 section 2.5.5.2) is the same address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
