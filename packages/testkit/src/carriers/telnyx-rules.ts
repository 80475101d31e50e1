/**
 * Telnyx's REST API, version 2, as its documentation describes it (https://developers.telnyx.com/api-reference): JSON, a bearer
 * key, `{ data }`, and `{ errors: [{ code, title, detail }] }` for errors. Numbers are ordered, and owned some time later.
 */
import {
  startCarrierSimulator,
  type CarrierSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
} from './carrier-simulator.ts';
import type { CarrierWorld, SimulatedNumber, SimulatedSms } from './carrier-world.ts';
import { TELNYX_KEY, TELNYX_ORGANISATION, telnyxPublicKey } from './telnyx-account.ts';
import { changeTelnyxDial, TELNYX_CALLS, telnyxDial } from './telnyx-dials.ts';

/** Starts a simulated Telnyx. */
export function startTelnyx(): Promise<CarrierSimulator> {
  return startCarrierSimulator(answer, (status) => fault(status, '10011', 'Planted fault').body);
}

type Json = Record<string, unknown>;
type Route = (world: CarrierWorld, request: SimulatedRequest, parts: string[]) => SimulatedAnswer;

const APPLICATION = ['friendly_name', 'active', 'voice_url', 'voice_method', 'outbound'];
const CONNECTIONS = ['/v2/credential_connections', '/v2/texml_applications'];
const ROUTES: [pattern: RegExp, route: Route][] = [
  [/^GET \/v2\/balance$/, () => data(200, { balance: '10.00', currency: 'USD', record_type: 'balance' })],
  [/^GET \/v2\/available_phone_numbers$/, available],
  [/^POST \/v2\/number_orders$/, orderNumber],
  [/^GET \/v2\/phone_numbers$/, listNumbers],
  [/^PATCH \/v2\/phone_numbers\/([\w-]+)$/, connectNumber],
  [/^PATCH \/v2\/phone_numbers\/([\w-]+)\/messaging$/, setMessaging],
  [/^POST \/v2\/messages$/, sendMessage],
  [/^GET \/v2\/messages\/([\w-]+)$/, readMessage],
  [/^(GET|POST) (\/v2\/outbound_voice_profiles)$/, resource('name', ['name'], ['name'])],
  [
    /^(GET|POST) (\/v2\/messaging_profiles)$/,
    resource('name', ['name', 'whitelisted_destinations'], ['name', 'whitelisted_destinations']),
  ],
  [
    /^(GET|POST) (\/v2\/credential_connections)$/,
    resource(
      'connection_name',
      ['connection_name', 'user_name', 'password'],
      ['connection_name', 'user_name', 'password', 'active', 'inbound', 'outbound'],
    ),
  ],
  [/^PATCH (\/v2\/credential_connections)\/(\w+)$/, changeConnection(['password'])],
  [/^GET \/v2\/public_key$/, () => data(200, { record_type: 'public_key', public: telnyxPublicKey() })],
  [/^GET \/v2\/whoami$/, () => data(200, { organization_id: TELNYX_ORGANISATION, record_type: 'whoami' })],
  [new RegExp(`^POST ${TELNYX_CALLS}$`), telnyxDial],
  [new RegExp(`^(GET|POST) ${TELNYX_CALLS}/([\\w:%.=-]+)$`), changeTelnyxDial],
  [
    /^(GET|POST) (\/v2\/texml_applications)$/,
    resource('friendly_name', ['friendly_name', 'voice_url'], APPLICATION),
  ],
  [/^PATCH (\/v2\/texml_applications)\/(\w+)$/, changeConnection(APPLICATION)],
];

function answer(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  if (request.headers.authorization !== `Bearer ${TELNYX_KEY}`)
    return fault(401, '10009', 'Authentication failed', 'The required authentication headers were invalid');
  const type = TELNYX_FORM.test(request.path) ? 'application/x-www-form-urlencoded' : 'application/json';
  if (request.method !== 'GET' && request.headers['content-type'] !== type)
    return fault(415, '10015', 'Unsupported media type');
  for (const [pattern, route] of ROUTES) {
    const match = pattern.exec(`${request.method} ${request.path}`);
    if (match) return route(world, request, match.slice(1));
  }
  return fault(404, '10005', 'Resource not found', 'The requested resource or URL could not be found.');
}

/** The one command whose content is a form. */
const TELNYX_FORM = new RegExp(`^${TELNYX_CALLS}/`);

function data(status: number, content: unknown): SimulatedAnswer {
  return { status, body: { data: content } };
}

function fault(status: number, code: string, title: string, detail = title): SimulatedAnswer {
  return { status, body: { errors: [{ code, title, detail }] } };
}

function jsonOf({ body }: SimulatedRequest): Json {
  return JSON.parse(body) as Json;
}

/** The first name that is not allowed. */
function unknownName(given: Json, allowed: readonly string[]): SimulatedAnswer | null {
  const [unknown] = Object.keys(given).filter((name) => !allowed.includes(name));
  return unknown === undefined ? null : fault(422, '10015', 'Bad Request', `Unknown parameter ${unknown}`);
}

const SEARCH = [
  'filter[country_code]',
  'filter[phone_number_type]',
  'filter[features][]',
  'filter[limit]',
  'filter[national_destination_code]',
  'filter[phone_number][contains]',
];

function available(world: CarrierWorld, { query }: SimulatedRequest): SimulatedAnswer {
  const refused = unknownName(query, SEARCH);
  if (refused) return refused;
  const contains = query['filter[phone_number][contains]'] ?? '';
  const area = query['filter[national_destination_code]'] ?? '';
  const found = world.forSale.filter(
    (number) =>
      number.country === query['filter[country_code]'] &&
      number.type === query['filter[phone_number_type]'] &&
      number.phoneNumber.includes(contains) &&
      number.phoneNumber.slice(2).startsWith(area),
  );
  const numbers = found.slice(0, Number(query['filter[limit]'] ?? 100)).map((number) => ({
    record_type: 'available_phone_number',
    phone_number: number.phoneNumber,
    features: ['voice', ...(number.isSmsCapable ? ['sms'] : [])].map((name) => ({ name })),
    region_information: [{ region_type: 'rate_center', region_name: 'SPRINGFLD' }],
    cost_information: { upfront_cost: '1.00', monthly_cost: '1.00', currency: 'USD' },
  }));
  return data(200, numbers);
}

function orderNumber(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const order = jsonOf(request);
  const refused = unknownName(order, ['phone_numbers', 'connection_id', 'messaging_profile_id']);
  if (refused) return refused;
  const [wanted] = (order['phone_numbers'] ?? []) as { phone_number?: string }[];
  const phoneNumber = wanted?.phone_number ?? '';
  const bought = world.buy(phoneNumber, `29${world.nextId()}`);
  if (!bought) return fault(400, '85006', 'Number not available', `${phoneNumber} is not available`);
  return data(200, { id: world.nextId(), record_type: 'number_order', status: 'pending' });
}

function numberBody(number: SimulatedNumber): Json {
  return {
    id: number.ref,
    record_type: 'phone_number',
    phone_number: number.phoneNumber,
    status: 'active',
    connection_id: number.trunkRef,
    messaging_profile_id: number.messagingProfileRef,
  };
}

function pageOf(entries: Json[], query: Record<string, string>): SimulatedAnswer {
  const [number, size] = [Number(query['page[number]'] ?? 1), Number(query['page[size]'] ?? 20)];
  if (size > 250) return fault(422, '10015', 'Bad Request', 'page[size] must be at most 250');
  const meta = {
    page_number: number,
    page_size: size,
    total_pages: Math.max(1, Math.ceil(entries.length / size)),
    total_results: entries.length,
  };
  return { status: 200, body: { data: entries.slice((number - 1) * size, number * size), meta } };
}

function listNumbers(world: CarrierWorld, { query }: SimulatedRequest): SimulatedAnswer {
  const refused = unknownName(query, ['filter[phone_number]', 'page[number]', 'page[size]']);
  if (refused) return refused;
  const part = query['filter[phone_number]'] ?? '';
  const found = world.visible().filter(({ phoneNumber }) => phoneNumber.includes(part));
  return pageOf(found.map(numberBody), query);
}

function findNumber(world: CarrierWorld, ref: string | undefined): SimulatedNumber | null {
  return world.owned.find((number) => number.ref === ref) ?? null;
}

function connectNumber(world: CarrierWorld, request: SimulatedRequest, [ref]: string[]): SimulatedAnswer {
  const { connection_id: connectionId } = jsonOf(request);
  const isKnown = CONNECTIONS.some((path) => world.list(path).some(({ id }) => id === connectionId));
  const number = findNumber(world, ref);
  if (!number || !isKnown) return fault(404, '10005', 'Resource not found');
  number.trunkRef = String(connectionId);
  return data(200, numberBody(number));
}

function setMessaging(world: CarrierWorld, request: SimulatedRequest, [ref]: string[]): SimulatedAnswer {
  const { messaging_profile_id: profileId } = jsonOf(request);
  const isKnown = world.list('/v2/messaging_profiles').some(({ id }) => id === profileId);
  const number = findNumber(world, ref);
  if (!number || !isKnown) return fault(404, '10005', 'Resource not found');
  number.messagingProfileRef = String(profileId);
  return data(200, numberBody(number));
}

function messageBody(message: SimulatedSms): Json {
  const isOver = message.status.startsWith('deliver');
  return {
    id: message.ref,
    record_type: 'message',
    direction: 'outbound',
    type: 'SMS',
    from: { phone_number: message.from },
    to: [{ phone_number: message.to, status: message.status }],
    text: message.body,
    parts: Math.ceil(message.body.length / 160),
    cost: isOver ? { amount: '0.0040', currency: 'USD' } : null,
    errors:
      message.status === 'delivery_failed'
        ? [{ code: '40008', title: 'Undeliverable', detail: 'The recipient server could not deliver it.' }]
        : [],
  };
}

function sendMessage(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const sent = jsonOf(request);
  const refused = unknownName(sent, ['from', 'to', 'text', 'type', 'messaging_profile_id']);
  if (refused) return refused;
  const { from, to, text } = sent as { from?: string; to?: string; text?: string };
  const number = world.owned.find(({ phoneNumber }) => phoneNumber === from);
  if (!number || number.messagingProfileRef === null)
    return fault(400, '40305', "Invalid 'from' address", 'It is not assigned to a messaging profile.');
  if (!/^\+\d{5,15}$/.test(to ?? '')) return fault(400, '40310', "Invalid 'to' address");
  if (!text) return fault(400, '40302', 'Missing text');
  const message = {
    ref: `4031${world.nextId()}`,
    from: from ?? '',
    to: to ?? '',
    body: text,
    status: 'queued',
    createdAt: new Date(),
  };
  world.messages.push(message);
  return data(200, messageBody(message));
}

function readMessage(world: CarrierWorld, _request: SimulatedRequest, [ref]: string[]): SimulatedAnswer {
  const message = world.messages.find((candidate) => candidate.ref === ref);
  return message ? data(200, messageBody(message)) : fault(404, '10005', 'Resource not found');
}

function resource(field: string, required: readonly string[], allowed: readonly string[]): Route {
  return (world, request, [method, path = '']) => {
    const filters = ['page[number]', 'page[size]', `filter[${field}]`, `filter[${field}][contains]`];
    if (method === 'GET')
      return unknownName(request.query, filters) ?? pageOf(world.list(path), request.query);
    const given = jsonOf(request);
    const refused = unknownName(given, allowed);
    if (refused) return refused;
    const [missing] = required.filter((name) => given[name] === undefined);
    if (missing !== undefined) return fault(422, '10004', 'Missing required parameter', missing);
    const userName = given['user_name'];
    if (typeof userName === 'string' && !/^[a-zA-Z0-9]{4,32}$/.test(userName))
      return fault(422, '10015', 'Bad Request', 'user_name must be 4-32 letters and digits');
    const voiceMethod = given['voice_method'] ?? 'get';
    if (voiceMethod !== 'get' && voiceMethod !== 'post')
      return fault(422, '10015', 'Bad Request', 'voice_method must be get or post');
    const entry = { id: `1293384${world.nextId()}`, ...given };
    world.list(path).push(entry);
    return data(201, entry);
  };
}

function changeConnection(allowed: readonly string[]): Route {
  return (world, request, [path = '', id]) => {
    const refused = unknownName(jsonOf(request), allowed);
    if (refused) return refused;
    const entry = world.list(path).find((row) => row['id'] === id);
    if (!entry) return fault(404, '10005', 'Resource not found');
    Object.assign(entry, jsonOf(request));
    return data(200, entry);
  };
}
