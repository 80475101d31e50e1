/**
 * Telnyx's REST API, version 2 (https://developers.telnyx.com/api-reference): numbers, credential connections, TeXML
 * applications, messages.
 * Requests are JSON with a bearer key, answers are `{ data }`, errors are `{ errors: [{ code, title, detail }] }`.
 */
import type { CarrierSend } from './carrier-http.ts';
import {
  CarrierError,
  type AvailableNumber,
  type Carrier,
  type CarrierCredentials,
  type Connection,
  type ConnectPlan,
  type NewConnection,
  type NumberSearch,
  type NumberType,
  type OwnedNumber,
  type SmsReport,
  type StreamKey,
} from './carrier.ts';
import { readTelnyxKey } from '../telnyx-signature.ts';
import { amountOf, objectOf, objectsOf, textOf } from './read-answer.ts';
import { explainTelnyxError, idOf, openTelnyx, type Json } from './telnyx-access.ts';

const RESULTS = 20;
const PAGE = 200;
const MAX_PAGES = 5;
const SIP_HOST = 'sip.telnyx.com';

/** @param url - of a simulator; null: Telnyx's own address */
export function createTelnyx(
  send: CarrierSend,
  credentials: CarrierCredentials,
  url: string | null,
): Carrier {
  const telnyx = openTelnyx(send, credentials, url);
  const { get } = telnyx;
  const write: Access['write'] = async (...request) => objectOf((await telnyx.write(...request))['data']);
  const access: Access = { get, write };
  return {
    async check() {
      await get('/balance');
    },
    searchNumbers: (search) => searchNumbers(access, search),
    async listNumbers() {
      return (await listAll(access, '/phone_numbers')).flatMap(ownedNumber);
    },
    async findNumber(phoneNumber) {
      const { data } = await get('/phone_numbers', { 'filter[phone_number]': phoneNumber });
      const numbers = objectsOf(data).flatMap(ownedNumber);
      return numbers.find((number) => number.phoneNumber === phoneNumber) ?? null;
    },
    async buyNumber(phoneNumber) {
      await write('POST', '/number_orders', { phone_numbers: [{ phone_number: phoneNumber }] });
    },
    connect: (plan) => connect(access, plan),
    assignNumber: (number, connection) => assignNumber(access, number, connection),
    async sendSms({ from, to, body }, { messagingProfileRef }) {
      const profile = messagingProfileRef === null ? {} : { messaging_profile_id: messagingProfileRef };
      return smsReport(await write('POST', '/messages', { from, to, text: body, type: 'SMS', ...profile }));
    },
    async readSms(ref) {
      return smsReport(objectOf((await get(`/messages/${ref}`))['data']));
    },
    // Telnyx lists messages in reports only, which take minutes.
    findSms: () => Promise.resolve('unknown'),
  };
}

/** Requests of an account. */
interface Access {
  get: (path: string, query?: Record<string, string>) => Promise<Json>;
  /** @returns `data` of the answer */
  write: (method: 'POST' | 'PATCH', path: string, content: Json) => Promise<Json>;
}

async function searchNumbers({ get }: Access, search: NumberSearch): Promise<AvailableNumber[]> {
  const { country, type, area, contains } = search;
  const query: Record<string, string> = {
    'filter[country_code]': country,
    'filter[phone_number_type]': type,
    'filter[features][]': 'voice',
    'filter[limit]': String(RESULTS),
  };
  if (area !== undefined) query['filter[national_destination_code]'] = area;
  if (contains !== undefined) query['filter[phone_number][contains]'] = contains;
  const { data } = await get('/available_phone_numbers', query);
  return objectsOf(data)
    .slice(0, RESULTS)
    .flatMap((row) => availableNumber(row, country, type));
}

function availableNumber(row: Json, country: string, type: NumberType): AvailableNumber[] {
  const phoneNumber = textOf(row['phone_number']);
  if (phoneNumber === null) return [];
  const cost = objectOf(row['cost_information']);
  const places = objectsOf(row['region_information']);
  const place = places.find(({ region_type: kind }) => kind === 'rate_center') ?? places[0];
  return [
    {
      phoneNumber,
      country,
      type,
      monthly: amountOf(cost['monthly_cost']),
      setup: amountOf(cost['upfront_cost']),
      currency: textOf(cost['currency']),
      locality: textOf(place?.['region_name']),
      isSmsCapable: objectsOf(row['features']).some(({ name }) => name === 'sms'),
      addressRequirements: 'none',
    },
  ];
}

function ownedNumber(row: Json): OwnedNumber[] {
  const [ref, phoneNumber] = [textOf(row['id']), textOf(row['phone_number'])];
  const isUsable = ref !== null && phoneNumber !== null && !NOT_YET_OWNED.includes(textOf(row['status']));
  // The list does not say what a number can do; a message from one that cannot is refused when it is sent.
  return isUsable ? [{ ref: idOf(row), phoneNumber, isSmsCapable: true }] : [];
}

const NOT_YET_OWNED: readonly (string | null)[] = ['purchase-pending', 'purchase-failed', 'deleted'];

async function listAll({ get }: Access, path: string, query: Record<string, string> = {}): Promise<Json[]> {
  const found: Json[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await get(path, { ...query, 'page[number]': String(page), 'page[size]': String(PAGE) });
    found.push(...objectsOf(answer['data']));
    if (page >= (amountOf(objectOf(answer['meta'])['total_pages']) ?? 1)) break;
  }
  return found;
}

/** The names are looked up first, so that an attempt that was interrupted is continued. */
async function connect(access: Access, plan: ConnectPlan): Promise<NewConnection> {
  const { tag, password, voiceUrl, streamsInbound } = plan;
  const name = `parley-${tag}`;
  const profile = { name, whitelisted_destinations: ['*'] };
  const voice = await findOrMake(access, '/outbound_voice_profiles', {
    filter: 'filter[name][contains]',
    field: 'name',
    // Telnyx allows the United States and Canada in a new profile; the owner adds countries in its pages.
    content: { name },
  });
  const messaging = await findOrMake(access, '/messaging_profiles', {
    filter: 'filter[name]',
    field: 'name',
    content: profile,
  });
  // Letters and digits only.
  const username = `parley${tag}`;
  const settings = {
    connection_name: name,
    user_name: username,
    password,
    active: true,
    inbound: { ani_number_format: '+E.164', dnis_number_format: '+e164', codecs: ['G722', 'G711U', 'G711A'] },
    outbound: { outbound_voice_profile_id: idOf(voice) },
  };
  const found = await findOrMake(access, '/credential_connections', {
    filter: 'filter[connection_name][contains]',
    field: 'connection_name',
    content: settings,
  });
  const trunkRef = idOf(found);
  await access.write('PATCH', `/credential_connections/${trunkRef}`, { password });
  const streamKey =
    voiceUrl === null ? null : await openStreams(access, { name, voiceUrl, voiceProfileRef: idOf(voice) });
  const refs = {
    trunkRef,
    messagingProfileRef: idOf(messaging),
    applicationRef: streamsInbound && streamKey ? streamKey.applicationRef : null,
  };
  return { ...refs, host: SIP_HOST, username, registers: true, streamKey };
}

/** What calls need that are streamed in either direction. */
async function openStreams(access: Access, settings: ApplicationSettings): Promise<StreamKey> {
  return {
    applicationRef: await writeApplication(access, settings),
    publicKey: await readPublicKey(access),
    organisationRef: await readOrganisation(access),
  };
}

/** The settings of the TeXML application. */
interface ApplicationSettings {
  name: string;
  voiceUrl: string;
  /** Which countries may be called. */
  voiceProfileRef: string;
}

/** One TeXML application for all numbers, so that another address of this installation is written once. */
async function writeApplication(
  access: Access,
  { name, voiceUrl, voiceProfileRef }: ApplicationSettings,
): Promise<string> {
  const content = {
    friendly_name: name,
    active: true,
    voice_url: voiceUrl,
    voice_method: 'post',
    outbound: { outbound_voice_profile_id: voiceProfileRef },
  };
  const found = await findOrMake(access, '/texml_applications', { field: 'friendly_name', content });
  const applicationRef = idOf(found);
  await access.write('PATCH', `/texml_applications/${applicationRef}`, content);
  return applicationRef;
}

/** The key by which Telnyx signs its requests, of the organisation. */
async function readPublicKey({ get }: Access): Promise<string> {
  const text = textOf(objectOf((await get('/public_key'))['data'])['public']) ?? '';
  if (readTelnyxKey(text)) return text;
  throw new CarrierError('uncertain', 'Its answer has no valid public key.');
}

/** The id of the organisation is the account of TeXML commands. */
async function readOrganisation({ get }: Access): Promise<string> {
  return idOf({ id: objectOf((await get('/whoami'))['data'])['organization_id'] });
}

async function findOrMake(
  access: Access,
  path: string,
  { filter, field, content }: { filter?: string; field: string; content: Json },
): Promise<Json> {
  const known = await listAll(access, path, filter === undefined ? {} : { [filter]: String(content[field]) });
  return known.find((row) => row[field] === content[field]) ?? access.write('POST', path, content);
}

/** A number has one connection: the trunk, or the application. */
async function assignNumber(access: Access, { ref }: OwnedNumber, connection: Connection): Promise<void> {
  const connectionId = connection.applicationRef ?? connection.trunkRef;
  await access.write('PATCH', `/phone_numbers/${ref}`, { connection_id: connectionId });
  if (connection.messagingProfileRef === null) return;
  const profile = { messaging_profile_id: connection.messagingProfileRef };
  await access.write('PATCH', `/phone_numbers/${ref}/messaging`, profile);
}

const STATES: Readonly<Record<string, SmsReport['status']>> = {
  delivered: 'delivered',
  delivery_failed: 'undelivered',
  sending_failed: 'failed',
  expired: 'failed',
};

/** `delivery_unconfirmed` stays `sent`: the network does not report. */
function smsReport(row: Json): SmsReport {
  const [receiver] = objectsOf(row['to']);
  const cost = objectOf(row['cost']);
  const error = explainTelnyxError(row);
  return {
    ref: idOf(row),
    status: STATES[textOf(receiver?.['status']) ?? ''] ?? 'sent',
    segments: amountOf(row['parts']),
    cost: amountOf(cost['amount']),
    currency: textOf(cost['currency']),
    error,
  };
}
