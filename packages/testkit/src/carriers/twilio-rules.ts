/**
 * Twilio's REST API as its documentation describes it (https://www.twilio.com/docs/usage/api): forms, basic authentication,
 * `{ code, message, more_info, status }` for errors, pages of 50 by default.
 */
import {
  startCarrierSimulator,
  type CarrierSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
} from './carrier-simulator.ts';
import type { CarrierWorld, SimulatedNumber, SimulatedSms } from './carrier-world.ts';
import { SimulatedDial } from './simulated-dial.ts';
import { TWILIO_ACCOUNT } from './twilio-account.ts';
import { DIAL_PARAMETERS, faultOfDial, twilioDialBody, twilioDials } from './twilio-dials.ts';

/** Starts a simulated Twilio. */
export function startTwilio(): Promise<CarrierSimulator> {
  return startCarrierSimulator(answer, (status) => fault(status, 20_001, 'Planted fault').body);
}

const TYPES = { Local: 'local', Mobile: 'mobile', TollFree: 'toll_free' } as const;
const SID = /^[A-Z]{2}[0-9a-f]{32}$/;

type Route = (world: CarrierWorld, request: SimulatedRequest, parts: string[]) => SimulatedAnswer;

const API = `/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}`;
const ROUTES: [pattern: RegExp, route: Route][] = [
  [new RegExp(`^GET ${API}\\.json$`), account],
  [new RegExp(`^GET ${API}/AvailablePhoneNumbers/([A-Z]{2})/(Local|Mobile|TollFree)\\.json$`), available],
  [new RegExp(`^GET ${API}/IncomingPhoneNumbers\\.json$`), listNumbers],
  [new RegExp(`^POST ${API}/IncomingPhoneNumbers\\.json$`), buyNumber],
  [new RegExp(`^POST ${API}/IncomingPhoneNumbers/(PN\\w{32})\\.json$`), connectNumber],
  [
    new RegExp(`^(GET|POST) (${API}/Applications)\\.json$`),
    resource('applications', 'AP', ['FriendlyName', 'VoiceUrl', 'VoiceMethod']),
  ],
  [new RegExp(`^(POST) (${API}/Applications)/(AP\\w{32})\\.json$`), change(['VoiceUrl', 'VoiceMethod'])],
  [new RegExp(`^POST ${API}/Calls\\.json$`), dial],
  [new RegExp(`^(GET|POST) ${API}/Calls/(CA[0-9a-f]{32})\\.json$`), changeDial],
  [new RegExp(`^GET ${API}/Messages\\.json$`), listMessages],
  [new RegExp(`^POST ${API}/Messages\\.json$`), sendMessage],
  [new RegExp(`^GET ${API}/Messages/(SM[0-9a-f]{32})\\.json$`), readMessage],
  [/^GET \/v1\/PhoneNumbers\/Countries\/([A-Z]{2})$/, prices],
  [
    new RegExp(`^(GET|POST) ${API}(/SIP/CredentialLists)\\.json$`),
    resource('credential_lists', 'CL', ['FriendlyName']),
  ],
  [
    new RegExp(`^(GET|POST) ${API}(/SIP/CredentialLists/CL\\w{32}/Credentials)\\.json$`),
    resource('credentials', 'CR', ['Username', 'Password']),
  ],
  [
    new RegExp(`^(POST) ${API}(/SIP/CredentialLists/CL\\w{32}/Credentials)/(CR\\w{32})\\.json$`),
    change(['Password']),
  ],
  [/^(GET|POST) (\/v1\/Trunks)$/, resource('trunks', 'TK', ['FriendlyName', 'DomainName'])],
  [/^(GET|POST) (\/v1\/Trunks\/TK\w{32}\/CredentialLists)$/, attach('credential_lists', 'CredentialListSid')],
  [/^(GET|POST) (\/v1\/Trunks\/TK\w{32}\/PhoneNumbers)$/, assign],
  [
    /^(GET|POST) (\/v1\/Trunks\/TK\w{32}\/OriginationUrls)$/,
    resource('origination_urls', 'OU', ['SipUrl', 'Enabled', 'FriendlyName', 'Priority', 'Weight']),
  ],
  [
    /^(POST) (\/v1\/Trunks\/TK\w{32}\/OriginationUrls)\/(OU\w{32})$/,
    change(['SipUrl', 'Enabled', 'FriendlyName', 'Priority', 'Weight']),
  ],
];

function answer(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const expected = `Basic ${Buffer.from(`${TWILIO_ACCOUNT.sid}:${TWILIO_ACCOUNT.token}`).toString('base64')}`;
  if (request.headers.authorization !== expected) return fault(401, 20_003, 'Authenticate');
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
  if (request.method === 'POST' && !isForm) return fault(415, 20_001, 'Unsupported content type');
  for (const [pattern, route] of ROUTES) {
    const [, ...parts] = pattern.exec(`${request.method} ${request.path}`) ?? [];
    if (pattern.test(`${request.method} ${request.path}`)) return route(world, request, parts);
  }
  return fault(404, 20_404, `The requested resource ${request.path} was not found`);
}

function fault(status: number, code: number, message: string): SimulatedAnswer {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

function unknownParameters(
  given: Record<string, string>,
  allowed: readonly string[],
): SimulatedAnswer | null {
  const [unknown] = Object.keys(given).filter((name) => !allowed.includes(name));
  return unknown === undefined ? null : fault(400, 20_001, `Unknown parameter ${unknown}`);
}

function formOf({ body }: SimulatedRequest): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}

function account(world: CarrierWorld): SimulatedAnswer {
  return { status: 200, body: { sid: TWILIO_ACCOUNT.sid, status: world.accountStatus, type: 'Full' } };
}

function available(world: CarrierWorld, { query }: SimulatedRequest, parts: string[]): SimulatedAnswer {
  const [country = '', kind = 'Local'] = parts;
  const refused = unknownParameters(query, ['AreaCode', 'Contains', 'VoiceEnabled', 'PageSize']);
  if (refused) return refused;
  const { AreaCode: area, Contains: contains } = query;
  if (contains !== undefined && !/^[\d*+]{2,}$/.test(contains)) return fault(400, 21_451, 'Invalid pattern');
  const pattern =
    contains === undefined ? null : new RegExp(contains.replaceAll('+', '').replaceAll('*', '\\d*'));
  const type = TYPES[kind as keyof typeof TYPES];
  const offered = world.forSale.filter((number) => number.country === country && number.type === type);
  if (offered.length === 0) return fault(404, 20_404, 'The requested resource was not found');
  const found = offered.filter(
    ({ phoneNumber }) =>
      (area === undefined || phoneNumber.startsWith(`+1${area}`)) &&
      (pattern?.test(phoneNumber.slice(1)) ?? true),
  );
  const numbers = found.slice(0, Number(query['PageSize'] ?? 50)).map((number) => ({
    phone_number: number.phoneNumber,
    friendly_name: number.phoneNumber,
    iso_country: number.country,
    locality: 'Springfield',
    region: 'IL',
    address_requirements: number.addressRequirements,
    capabilities: { voice: true, SMS: number.isSmsCapable, MMS: false },
  }));
  return { status: 200, body: { available_phone_numbers: numbers, uri: '' } };
}

function prices(_world: CarrierWorld, _request: SimulatedRequest, [country]: string[]): SimulatedAnswer {
  const phoneNumberPrices = [
    { number_type: 'local', base_price: '1.15', current_price: '1.15' },
    { number_type: 'toll free', base_price: '2.15', current_price: '2.15' },
  ];
  const body = { country, iso_country: country, phone_number_prices: phoneNumberPrices, price_unit: 'USD' };
  return { status: 200, body };
}

function numberBody(number: SimulatedNumber): Record<string, unknown> {
  return {
    sid: number.ref,
    account_sid: TWILIO_ACCOUNT.sid,
    phone_number: number.phoneNumber,
    trunk_sid: number.trunkRef,
    voice_application_sid: number.applicationRef,
    capabilities: { voice: true, sms: number.isSmsCapable, mms: false },
  };
}

function listNumbers(world: CarrierWorld, { query }: SimulatedRequest): SimulatedAnswer {
  const refused = unknownParameters(query, ['PhoneNumber', 'PageSize', 'Page', 'PageToken']);
  if (refused) return refused;
  const part = query['PhoneNumber'] ?? '';
  const found = world.visible().filter(({ phoneNumber }) => phoneNumber.includes(part));
  const [size, page] = [Math.min(1000, Number(query['PageSize'] ?? 50)), Number(query['Page'] ?? 0)];
  const hasMore = found.length > (page + 1) * size;
  const next = `${API}/IncomingPhoneNumbers.json?PageSize=${size}&Page=${page + 1}`;
  return {
    status: 200,
    body: {
      incoming_phone_numbers: found.slice(page * size, (page + 1) * size).map(numberBody),
      next_page_uri: hasMore ? next : null,
    },
  };
}

function buyNumber(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const form = formOf(request);
  const refused = unknownParameters(form, ['PhoneNumber']);
  if (refused) return refused;
  const { PhoneNumber: phoneNumber = '' } = form;
  if (!/^\+\d+$/.test(phoneNumber)) return fault(400, 21_421, 'PhoneNumber is invalid');
  const number = world.forSale.find((candidate) => candidate.phoneNumber === phoneNumber);
  if (!number) return fault(400, 21_422, `PhoneNumber ${phoneNumber} is not available`);
  if (number.addressRequirements !== 'none') return fault(400, 21_631, 'Phone Number Requires an Address');
  const bought = world.buy(phoneNumber, `PN${world.nextId()}`);
  return { status: 201, body: bought && numberBody(bought) };
}

/** A number has a trunk or an application: setting the one removes the other. */
function connectNumber(world: CarrierWorld, request: SimulatedRequest, [ref]: string[]): SimulatedAnswer {
  const form = formOf(request);
  const refused = unknownParameters(form, ['VoiceApplicationSid']);
  if (refused) return refused;
  const { VoiceApplicationSid: applicationRef = '' } = form;
  const number = world.owned.find((candidate) => candidate.ref === ref);
  if (!number) return fault(404, 20_404, 'Not found');
  if (!world.list(`${API}/Applications`).some(({ sid }) => sid === applicationRef))
    return fault(400, 21_450, 'Invalid VoiceApplicationSid');
  for (const [path, entries] of world.resources)
    if (path.endsWith('/PhoneNumbers'))
      world.resources.set(
        path,
        entries.filter(({ sid }) => sid !== ref),
      );
  Object.assign(number, { applicationRef, trunkRef: null });
  return { status: 200, body: numberBody(number) };
}

function messageBody(message: SimulatedSms): Record<string, unknown> {
  const isOver = ['delivered', 'undelivered', 'failed'].includes(message.status);
  return {
    sid: message.ref,
    from: message.from,
    to: message.to,
    body: message.body,
    status: message.status,
    num_segments: String(Math.ceil(message.body.length / 160)),
    price: isOver ? '-0.00790' : null,
    price_unit: 'USD',
    error_code: message.status === 'undelivered' ? 30_003 : null,
    error_message: message.status === 'undelivered' ? 'Unreachable destination handset' : null,
    date_created: message.createdAt.toUTCString().replace('GMT', '+0000'),
  };
}

function sendMessage(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const form = formOf(request);
  const refused = unknownParameters(form, ['From', 'To', 'Body']);
  if (refused) return refused;
  const { From: from = '', To: to = '', Body: body = '' } = form;
  if (!/^\+\d{5,15}$/.test(to)) return fault(400, 21_211, `Invalid 'To' Phone Number: ${to}`);
  if (body === '') return fault(400, 21_602, 'Message body is required.');
  const number = world.owned.find(({ phoneNumber }) => phoneNumber === from);
  if (!number?.isSmsCapable) return fault(400, 21_606, `The 'From' phone number ${from} is not valid`);
  const message = { ref: `SM${world.nextId()}`, from, to, body, status: 'queued', createdAt: new Date() };
  world.messages.push(message);
  return { status: 201, body: messageBody(message) };
}

function dial(world: CarrierWorld, request: SimulatedRequest): SimulatedAnswer {
  const form = formOf(request);
  const wrong = unknownParameters(form, DIAL_PARAMETERS);
  if (wrong) return wrong;
  const [code, text] = faultOfDial(world.owned, form) ?? [];
  if (code !== undefined) return fault(400, code, text ?? '');
  const placed = new SimulatedDial(form, world.phones.get(form['To'] ?? '') ?? {}, twilioDials);
  world.dials.push(placed);
  return { status: 201, body: twilioDialBody(placed) };
}

function changeDial(
  world: CarrierWorld,
  request: SimulatedRequest,
  [method, sid]: string[],
): SimulatedAnswer {
  const found = world.dials.find(({ callSid }) => callSid === sid);
  if (!found) return fault(404, 20_404, 'Not found');
  if (method === 'GET') return { status: 200, body: twilioDialBody(found) };
  const form = formOf(request);
  const wrong = unknownParameters(form, ['Status']);
  if (wrong) return wrong;
  if (form['Status'] !== 'completed') return fault(400, 21_218, 'Invalid ApplicationSid');
  return found.end()
    ? { status: 200, body: twilioDialBody(found) }
    : fault(400, 21_220, 'Call is not in-progress.');
}

function readMessage(world: CarrierWorld, _request: SimulatedRequest, [ref]: string[]): SimulatedAnswer {
  const message = world.messages.find((candidate) => candidate.ref === ref);
  return message ? { status: 200, body: messageBody(message) } : fault(404, 20_404, 'Not found');
}

function listMessages(world: CarrierWorld, { query }: SimulatedRequest): SimulatedAnswer {
  const refused = unknownParameters(query, ['From', 'To', 'DateSent>', 'PageSize']);
  if (refused) return refused;
  const found = world.messages.filter(({ from, to }) => from === query['From'] && to === query['To']);
  return { status: 200, body: { messages: found.map(messageBody), next_page_uri: null } };
}

/** `FriendlyName` is `friendly_name` in answers. */
function snakeCase(fields: Record<string, string>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name]) => name !== 'Password');
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const key = name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
      return [key, name === 'Enabled' ? value === 'true' : value];
    }),
  );
}

function page(world: CarrierWorld, path: string, key: string): SimulatedAnswer {
  return { status: 200, body: { [key]: world.list(path), meta: { key } } };
}

const isWeak = (password: string): boolean =>
  password.length < 12 || !/\d/.test(password) || !/[a-z]/.test(password) || !/[A-Z]/.test(password);

function resource(key: string, prefix: string, required: readonly string[]): Route {
  return (world, request, [method, path = '']) => {
    if (method === 'GET') return page(world, path, key);
    const form = formOf(request);
    const refused = unknownParameters(form, required);
    if (refused) return refused;
    const [missing] = required.filter((name) => !form[name]);
    if (missing !== undefined) return fault(400, 20_001, `Missing required parameter ${missing}`);
    if (form['Password'] !== undefined && isWeak(form['Password']))
      return fault(400, 21_236, 'Weak password');
    const entry = { sid: `${prefix}${world.nextId()}`, ...snakeCase(form) };
    const isTaken =
      'domain_name' in entry && world.list(path).some((row) => row['domain_name'] === entry.domain_name);
    if (isTaken) return fault(400, 21_248, 'Domain name is already in use');
    world.list(path).push(entry);
    return { status: 201, body: entry };
  };
}

function change(allowed: readonly string[]): Route {
  return (world, request, [, path = '', sid]) => {
    const form = formOf(request);
    const refused = unknownParameters(form, allowed);
    if (refused) return refused;
    const entry = world.list(path).find((row) => row['sid'] === sid);
    if (!entry) return fault(404, 20_404, 'Not found');
    Object.assign(entry, snakeCase(form));
    return { status: 200, body: entry };
  };
}

function attach(key: string, field: string): Route {
  return (world, request, [method, path = '']) => {
    if (method === 'GET') return page(world, path, key);
    const { [field]: sid = '' } = formOf(request);
    if (!SID.test(sid)) return fault(400, 20_001, `Missing required parameter ${field}`);
    if (world.list(path).some((row) => row['sid'] === sid)) return fault(400, 21_240, 'Already associated');
    world.list(path).push({ sid });
    return { status: 201, body: { sid } };
  };
}

function assign(world: CarrierWorld, request: SimulatedRequest, parts: string[]): SimulatedAnswer {
  const [method, path = ''] = parts;
  if (method === 'GET') return page(world, path, 'phone_numbers');
  const number = world.owned.find(({ ref }) => ref === formOf(request)['PhoneNumberSid']);
  if (!number) return fault(404, 20_404, 'Not found');
  const [, , , trunkRef = null] = path.split('/');
  Object.assign(number, { trunkRef, applicationRef: null });
  world.list(path).push(numberBody(number));
  return { status: 201, body: numberBody(number) };
}
