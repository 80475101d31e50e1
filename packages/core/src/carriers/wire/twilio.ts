/**
 * Twilio's REST API: account, numbers and messages (https://www.twilio.com/docs/usage/api), prices of numbers
 * (https://www.twilio.com/docs/phone-numbers/pricing), and Elastic SIP Trunking (https://www.twilio.com/docs/sip-trunking/api).
 * Requests are forms with basic authentication; errors are `{ code, message, more_info, status }`.
 */
import type { CarrierSend } from './carrier-http.ts';
import {
  CarrierError,
  type AvailableNumber,
  type Carrier,
  type CarrierCredentials,
  type ConnectPlan,
  type Connection,
  type NewConnection,
  type NumberPrice,
  type NumberSearch,
  type NumberType,
  type OwnedNumber,
  type SmsReport,
} from './carrier.ts';
import { amountOf, objectOf, objectsOf, textOf } from './read-answer.ts';
import { openTwilio, sidOf, type Fields, type TwilioAccess } from './twilio-access.ts';

const RESULTS = 20;
const PAGE = 200;
const MAX_PAGES = 5;
const TYPE_PATHS: Record<NumberType, string> = { local: 'Local', mobile: 'Mobile', toll_free: 'TollFree' };
/** The names in its price lists. */
const TYPE_NAMES: Record<NumberType, string> = { local: 'local', mobile: 'mobile', toll_free: 'toll free' };
const NO_PRICE: NumberPrice = { monthly: null, setup: null, currency: null };

/** @param url - of a simulator; null: Twilio's own addresses */
export function createTwilio(
  send: CarrierSend,
  credentials: CarrierCredentials,
  url: string | null,
): Carrier {
  const access = openTwilio(send, credentials, url);
  const { get, post, account } = access;
  return {
    async check() {
      const { status } = await get(`${account}.json`);
      if (status !== 'active')
        throw new CarrierError('rejected', `The account is ${textOf(status) ?? 'not active'}.`);
    },
    searchNumbers: (search) => searchNumbers(access, search),
    listNumbers: () => listNumbers(access),
    async findNumber(phoneNumber) {
      const found = await get(`${account}/IncomingPhoneNumbers.json`, { PhoneNumber: phoneNumber });
      // Twilio searches for parts of numbers too.
      const numbers = objectsOf(found['incoming_phone_numbers']).flatMap(ownedNumber);
      return numbers.find((number) => number.phoneNumber === phoneNumber) ?? null;
    },
    async buyNumber(phoneNumber) {
      await post(`${account}/IncomingPhoneNumbers.json`, { PhoneNumber: phoneNumber });
    },
    connect: (plan) => connect(access, plan),
    assignNumber: ({ ref }, connection) => assignNumber(access, ref, connection),
    async sendSms({ from, to, body }) {
      return smsReport(await post(`${account}/Messages.json`, { From: from, To: to, Body: body }));
    },
    async readSms(ref) {
      return smsReport(await get(`${account}/Messages/${ref}.json`));
    },
    async findSms({ from, to, body }, since) {
      const day = since.toISOString().slice(0, 10);
      const query = { From: from, To: to, 'DateSent>': day, PageSize: String(PAGE) };
      const found = objectsOf((await get(`${account}/Messages.json`, query))['messages']);
      const sent = found.find((row) => row['body'] === body && createdAt(row) >= wholeSecond(since));
      return sent ? smsReport(sent) : null;
    },
  };
}

async function searchNumbers(access: TwilioAccess, search: NumberSearch): Promise<AvailableNumber[]> {
  const { country, type, area, contains } = search;
  const query: Fields = { VoiceEnabled: 'true', PageSize: String(RESULTS) };
  // AreaCode exists for North America only; elsewhere a pattern from the first digit has the same effect.
  if (area !== undefined && ['US', 'CA'].includes(country)) query['AreaCode'] = area;
  const pattern = [area !== undefined && !query['AreaCode'] ? area : '', contains ?? ''].filter(Boolean);
  if (pattern.length > 0) query['Contains'] = pattern.join('*');
  const path = `${access.account}/AvailablePhoneNumbers/${country}/${TYPE_PATHS[type]}.json`;
  const found = await orMissing(access.get(path, query), {});
  const numbers = objectsOf(found['available_phone_numbers']);
  if (numbers.length === 0) return [];
  const price = await readPrice(access, search);
  return numbers.slice(0, RESULTS).flatMap((row) => availableNumber(row, search, price));
}

async function readPrice(
  { get, hosts }: TwilioAccess,
  { country, type }: NumberSearch,
): Promise<NumberPrice> {
  const list = await orMissing(get(`${hosts.pricing}/v1/PhoneNumbers/Countries/${country}`), {});
  const price = objectsOf(list['phone_number_prices']).find((row) => row['number_type'] === TYPE_NAMES[type]);
  if (!price) return NO_PRICE;
  return { monthly: amountOf(price['current_price']), setup: 0, currency: textOf(list['price_unit']) };
}

/** A country or a type that Twilio does not offer is a 404. */
async function orMissing<Result>(answer: Promise<Result>, missing: Result): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CarrierError && error.kind === 'missing') return missing;
    throw error;
  }
}

const ADDRESSES = ['none', 'any', 'local', 'foreign'] as const;

function availableNumber(
  row: Record<string, unknown>,
  { country, type }: NumberSearch,
  price: NumberPrice,
): AvailableNumber[] {
  const phoneNumber = textOf(row['phone_number']);
  if (phoneNumber === null) return [];
  const addressRequirements = ADDRESSES.find((kind) => kind === row['address_requirements']) ?? 'any';
  const locality = textOf(row['locality']) ?? textOf(row['region']);
  const isSmsCapable = hasSms(row);
  return [{ ...price, phoneNumber, country, type, locality, isSmsCapable, addressRequirements }];
}

/** The name is `SMS` for numbers on sale and `sms` for those of an account. */
function hasSms(row: Record<string, unknown>): boolean {
  const { SMS, sms } = objectOf(row['capabilities']);
  return SMS === true || sms === true;
}

function ownedNumber(row: Record<string, unknown>): OwnedNumber[] {
  const [ref, phoneNumber] = [textOf(row['sid']), textOf(row['phone_number'])];
  if (ref === null || phoneNumber === null) return [];
  return [{ ref, phoneNumber, isSmsCapable: hasSms(row) }];
}

async function listNumbers({ get, account, hosts }: TwilioAccess): Promise<OwnedNumber[]> {
  const found: OwnedNumber[] = [];
  let page = await get(`${account}/IncomingPhoneNumbers.json`, { PageSize: String(PAGE) });
  for (let number = 1; ; number++) {
    found.push(...objectsOf(page['incoming_phone_numbers']).flatMap(ownedNumber));
    const next = textOf(page['next_page_uri']);
    if (next === null || !next.startsWith('/2010-04-01/') || number === MAX_PAGES) return found;
    page = await get(`${hosts.api}${next}`);
  }
}

/** A number has a trunk or an application: Twilio removes the one when the other is set. */
async function assignNumber(
  access: TwilioAccess,
  ref: string,
  { trunkRef, applicationRef }: Connection,
): Promise<void> {
  const { post, account, hosts } = access;
  if (applicationRef) {
    await post(`${account}/IncomingPhoneNumbers/${ref}.json`, { VoiceApplicationSid: applicationRef });
    return;
  }
  const numbers = `${hosts.trunking}/v1/Trunks/${trunkRef}/PhoneNumbers`;
  const assigned = await listAll(access, numbers, 'phone_numbers');
  if (assigned.some(({ sid }) => sid === ref)) return;
  await post(numbers, { PhoneNumberSid: ref });
}

/** All entries of a list of the trunking API, whose pages are named by `meta`. */
async function listAll(
  { get }: TwilioAccess,
  address: string,
  key: string,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await get(address, { PageSize: String(PAGE), Page: String(page) });
    const entries = objectsOf(answer[key]);
    found.push(...entries);
    if (entries.length < PAGE) break;
  }
  return found;
}

/** The names are looked up first, so that an attempt that was interrupted is continued. */
async function connect(access: TwilioAccess, plan: ConnectPlan): Promise<NewConnection> {
  const { tag, password, sipAddress, voiceUrl, streamsInbound } = plan;
  const { post, account, hosts } = access;
  const name = `parley-${tag}`;
  const domain = `${name}.pstn.twilio.com`;
  const trunks = `${hosts.trunking}/v1/Trunks`;
  const known = (await listAll(access, trunks, 'trunks')).find((row) => row['domain_name'] === domain);
  const trunkRef = sidOf(known ?? (await post(trunks, { FriendlyName: name, DomainName: domain })));
  const lists = `${account}/SIP/CredentialLists`;
  const found = await access.get(`${lists}.json`, { PageSize: String(PAGE) });
  const knownList = objectsOf(found['credential_lists']).find((row) => row['friendly_name'] === name);
  const listRef = sidOf(knownList ?? (await post(`${lists}.json`, { FriendlyName: name })));
  const credentials = `${lists}/${listRef}/Credentials`;
  const stored = objectsOf((await access.get(`${credentials}.json`))['credentials']);
  const credential = stored.find((row) => row['username'] === name);
  if (credential) await post(`${credentials}/${sidOf(credential)}.json`, { Password: password });
  else await post(`${credentials}.json`, { Username: name, Password: password });
  const trunkLists = `${trunks}/${trunkRef}/CredentialLists`;
  const attached = await listAll(access, trunkLists, 'credential_lists');
  if (!attached.some(({ sid }) => sid === listRef)) await post(trunkLists, { CredentialListSid: listRef });
  if (sipAddress !== null)
    await writeOrigination(access, `${trunks}/${trunkRef}/OriginationUrls`, { name, sipAddress });
  const applicationRef =
    voiceUrl !== null && streamsInbound ? await writeApplication(access, { name, voiceUrl }) : null;
  const refs = { trunkRef, messagingProfileRef: null, applicationRef };
  return { ...refs, host: domain, username: name, registers: false, streamKey: null };
}

/** One application for all numbers, so that another address of this installation is written once. */
async function writeApplication(
  { get, post, account }: TwilioAccess,
  { name, voiceUrl }: { name: string; voiceUrl: string },
): Promise<string> {
  const found = await get(`${account}/Applications.json`, { FriendlyName: name });
  const known = objectsOf(found['applications']).find((row) => row['friendly_name'] === name);
  const fields = { VoiceUrl: voiceUrl, VoiceMethod: 'POST' };
  if (!known) return sidOf(await post(`${account}/Applications.json`, { FriendlyName: name, ...fields }));
  const applicationRef = sidOf(known);
  await post(`${account}/Applications/${applicationRef}.json`, fields);
  return applicationRef;
}

async function writeOrigination(
  access: TwilioAccess,
  address: string,
  { name, sipAddress }: { name: string; sipAddress: string },
): Promise<void> {
  const SipUrl = `sip:${sipAddress}`;
  const urls = await listAll(access, address, 'origination_urls');
  if (urls.some((row) => row['sip_url'] === SipUrl && row['enabled'] === true)) return;
  const own = urls.find((row) => row['friendly_name'] === name);
  const fields = { SipUrl, Enabled: 'true', FriendlyName: name, Priority: '10', Weight: '10' };
  await access.post(own ? `${address}/${sidOf(own)}` : address, fields);
}

const STATES: Readonly<Record<string, SmsReport['status']>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
};

function smsReport(row: Record<string, unknown>): SmsReport {
  const code = textOf(row['error_code']);
  const text = textOf(row['error_message']) ?? 'The message was not delivered.';
  // Twilio writes what it charges as a negative amount.
  const price = textOf(row['price'])?.replace(/^-/, '');
  return {
    ref: sidOf(row),
    status: STATES[textOf(row['status']) ?? ''] ?? 'sent',
    segments: amountOf(row['num_segments']),
    cost: amountOf(price),
    currency: textOf(row['price_unit']),
    error: code === null ? null : `${text} (Twilio error ${code})`,
  };
}

/** Twilio's times have seconds (RFC 2822). */
function createdAt(row: Record<string, unknown>): number {
  return Date.parse(textOf(row['date_created']) ?? '') || 0;
}

function wholeSecond(at: Date): number {
  return Math.floor(at.getTime() / 1_000) * 1_000;
}
