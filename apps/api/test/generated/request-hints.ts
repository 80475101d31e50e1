/**
 * Rules of single endpoints that a schema cannot express: dependencies between fields, numbers that may be used once, and
 * states in which a valid request is refused. Each has its reason.
 */
import { randomUUID } from 'node:crypto';
import { TWILIO_ACCOUNT } from '@parley/testkit';
import type { ContractRoute } from './contract-routes.ts';
import type { Body } from './valid-values.ts';
import { nextPhoneNumber } from './world.ts';

interface Hint {
  /** Makes a generated body consistent. */
  settle?: (body: Body) => Body;
  /** Answers other than 2xx that are allowed for a valid request: a status, or what status and body match. */
  mayAnswer?: (number | RegExp)[];
}

/** The tests of the other endpoints, or many runs, make as many rows as an account or an assistant may have. */
const MAXIMUM = /^4\d\d .*at most \d+ /;
/** Many runs draw the longest name twice. */
const TAKEN = /^422 .*has already been taken/;

const hints: Record<string, Hint> = {
  'assistants.create': { settle: settleAssistant },
  'assistants.update': { settle: settleAssistant },
  // No voice process runs in these tests; the last message is the one to answer; a token may ask 30 times a minute.
  'assistants.generateReply': { settle: settleMessages, mayAnswer: [429, 503] },
  // No voice process runs in these tests; a token may ask 30 times a minute.
  'writtenConversations.generateReply': { mayAnswer: [429, 503] },
  'writtenConversations.create': { mayAnswer: [429, 503] },
  'writtenConversations.write': { mayAnswer: [429, 503] },
  // No voice process runs in these tests.
  'calls.evaluate': { mayAnswer: [429, 503] },
  // The call belongs to no campaign.
  'calls.setDisposition': { mayAnswer: [422] },
  // Names are unique.
  'folders.create': { mayAnswer: [TAKEN] },
  'folders.update': { mayAnswer: [TAKEN] },
  'labels.create': { mayAnswer: [TAKEN] },
  'labels.update': { mayAnswer: [TAKEN] },
  'knowledgebases.create': { mayAnswer: [MAXIMUM] },
  // The built-in model follows a script and takes no instructions.
  'calls.make': { settle: ({ instructions: _instructions, ...body }) => body },
  // The address is that of a WebSocket, names are unique, and the assistant may have got a disclosure message.
  'calls.makeStream': {
    settle: (body) => ({ ...body, url: 'wss://agent.example/media', parameters: [] }),
    mayAnswer: [422],
  },
  // The call is over already; a live one is hung up in rest/contract.test.ts.
  'calls.hangUp': { mayAnswer: [409] },
  // The carrier refuses generated secrets.
  'carrierAccounts.create': {
    settle: (body) => ({
      ...body,
      kind: 'telnyx',
      account_sid: null,
      secret: 'KEY-generated',
      is_shared: false,
    }),
    mayAnswer: [MAXIMUM, 422],
  },
  'carrierAccounts.update': {
    settle: (body) => ('secret' in body ? { ...body, secret: TWILIO_ACCOUNT.token } : body),
  },
  // Twilio needs an address of SIP, and media streams do without it.
  'carrierAccounts.connect': {
    settle: (body) => ({ ...body, sip_address: 'sip.parley.example:5060' }),
    mayAnswer: [/^422 .*Media streams/],
  },
  // The account is not connected, or does not own the numbers.
  'carrierAccounts.importNumbers': { mayAnswer: [409, 422] },
  'phoneNumbers.purchase': { mayAnswer: [409, 422] },
  // There may be no account; only digits are looked for.
  'phoneNumbers.search': { mayAnswer: [409, 422] },
  // The number belongs to no carrier account.
  'sms.send': { mayAnswer: [422] },
  'campaigns.create': { settle: settleCampaign },
  // Only the status that the campaign has.
  'campaigns.update': { settle: ({ status: _status, ...body }) => settleCampaign(body) },
  // A time in the future.
  'consents.add': { mayAnswer: [422] },
  // A number that is not on the list.
  'consents.remove': { mayAnswer: [404] },
  // The source depends on the type; no worker reads the documents.
  'documents.create': { settle: settleDocument, mayAnswer: [/^409 .*Wait until the documents/] },
  'doNotCall.remove': { mayAnswer: [404] },
  // Only a user who was disabled before is removed.
  'users.remove': { mayAnswer: [409] },
  // The file that is sent has commas, a header, and the columns that `mapping` may name.
  'leadImports.create': { mayAnswer: [422] },
  // The assistants of the world make calls.
  'phoneNumbers.setRoute': { settle: settleRoute, mayAnswer: [/^422 .*makes calls and answers none/] },
  // The whole sound is decoded later, and no worker does it.
  'recordedPhrases.create': {
    settle: (body) => ({ ...body, text: `Good morning ${randomUUID()}.`, file: 'UklGRg==' }),
    mayAnswer: [MAXIMUM, /^409 .*Wait until the sounds/],
  },
  // Only operators erase a person from all accounts.
  'people.erase': { settle: ({ all_accounts: _all, ...body }) => body },
  // The run of the world is the first of its suite.
  'suiteRuns.compare': { mayAnswer: [422] },
  'prices.set': { settle: settlePrices },
  'providers.create': { settle: settleNewProvider },
  'providers.update': { settle: settleProvider },
  // Only operators may share trunks; the test for members is in core/trunks.
  'sipTrunks.create': {
    settle: (body) => ({ name: 'Carrier', host: '203.0.114.7', ...settleTrunk(body), is_shared: false }),
  },
  'sipTrunks.update': { settle: settleTrunk },
  // No voice process runs in these tests; a trunk may be diagnosed six times a minute; the test call may not exist.
  'sipTrunks.diagnose': { mayAnswer: [404, 429, 503] },
  // A text of a suite.
  'suites.create': { settle: settleSuite, mayAnswer: [MAXIMUM] },
  'suites.update': { settle: settleSuite },
  // Its assistant does not exist, and no worker ends the runs that an account may have at a time.
  'suites.start': { mayAnswer: [409, 422] },
  // The call has no words.
  'suiteRuns.replay': { mayAnswer: [409, 422] },
  // A token with limits cannot have the scope write.
  'tokens.create': { settle: (body) => ({ ...body, scopes: ['read', 'call'] }) },
  'tools.create': { settle: settleAccountTool },
  'tools.update': { settle: settleAccountTool },
  'webhookEndpoints.create': { mayAnswer: [MAXIMUM] },
  'users.create': { settle: (body) => ({ ...body, email: `${randomUUID()}@parley.example` }) },
};

/** A body that also satisfies the rules between fields. */
export function settled(route: ContractRoute, body: Body): Body {
  const { settle = (same: Body) => same } = hints[route.name] ?? {};
  return settle(withFreshNumbers(body) as Body);
}

/** Whether a valid request may be refused with this status. */
export function mayAnswer(route: ContractRoute, { status, text }: { status: number; text: string }): boolean {
  if (status >= 200 && status < 300) return true;
  return (hints[route.name]?.mayAnswer ?? []).some((allowed) =>
    typeof allowed === 'number' ? allowed === status : allowed.test(`${status} ${text}`),
  );
}

/**
 * A trunk that registers needs an account, only operators set limits, only a trunk over TLS encrypts, a codec occurs once,
 * numbers in their national form have a country, and no field is given under two names; the tests of these are in core/trunks and contracts.
 */
function settleTrunk({
  max_calls_per_second: _second,
  max_calls_per_day: _day,
  max_cost_per_day: _cost,
  sip_address: _address,
  sip_username: _username,
  sip_password: _password,
  country_code: _country,
  inbound_authorization_type: _authorization,
  outbound_proxy: _proxy,
  sip_trunk_type: _type,
  phone_number: _number,
  ...body
}: Body): Body {
  // A user part for the digest needs a user name.
  const { username, auth_username: authUsername } = body;
  const names = typeof username === 'string' && username.trim() !== '' ? {} : { auth_username: null };
  const rest = authUsername === undefined ? {} : names;
  const codecs = Array.isArray(body['codecs']) ? { codecs: [...new Set<unknown>(body['codecs'])] } : {};
  const formats = [body['number_format'], body['sip_calling_format']];
  const hasCountry = formats.includes('national') || 'default_country' in body;
  const country = hasCountry ? { default_country: 'DE' } : {};
  return {
    ...body,
    ...rest,
    ...codecs,
    ...country,
    registers: false,
    tls_verify: true,
    media_encryption: 'none',
  };
}

/** Times and countries have a form, the address of a stream is that of a WebSocket, and the keys of a menu are distinct. */
function settleRoute(body: Body): Body {
  const { rules, otherwise, queue } = body;
  const settleRule = (rule: unknown): unknown =>
    isBody(rule)
      ? { ...rule, ...ROUTE_TIMES, caller_countries: ['DE', 'US'], action: settleAction(rule['action']) }
      : rule;
  return {
    ...body,
    ...('otherwise' in body && { otherwise: settleAction(otherwise) }),
    ...(Array.isArray(rules) && { rules: rules.map(settleRule) }),
    queue: isBody(queue)
      ? { ...queue, max_calls: 2 }
      : { max_calls: 2, text: 'Please wait.', overflow: { type: 'reject' } },
  };
}

const ROUTE_TIMES = { from: '22:00', until: '06:30:15' };

function settleAction(action: unknown): unknown {
  if (!isBody(action)) return action;
  if (Array.isArray(action['choices'])) return { ...action, choices: action['choices'].slice(0, 1) };
  return action['type'] === 'stream' ? { ...action, ...STREAM } : action;
}

const STREAM = { url: 'wss://agent.example/media', parameters: [] };

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A suite of one caller. */
function settleSuite(body: Body): Body {
  if (typeof body['definition'] !== 'string') return body;
  return { ...body, definition: 'assistant: 1\ncallers: [{ name: asks, script: [Hello.] }]' };
}

/** Text in the body. */
function settleDocument({ name, description }: Body): Body {
  const about = description === undefined ? { name } : { name, description };
  return { ...about, type: 'txt', content: 'We open at nine.' };
}

/** A number may be in one live call and once in a campaign, so every request has its own. Invalid numbers are kept. */
function withFreshNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFreshNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'phone_number' && part === '+12025550123' ? nextPhoneNumber() : withFreshNumbers(part),
    ]),
  );
}

/**
 * Built-in voices support one mode, an inbound number has one assistant, names of tools are unique, and an active webhook
 * requires an address.
 */
function settleAssistant(body: Body): Body {
  const changes: Body = { ...body };
  // Not every provider can transcribe.
  if (changes['transcriber_provider_id'] != null) delete changes['transcriber_provider_id'];
  for (const name of ['engine_type', 'mode']) if (changes[name] === 'multimodal') changes[name] = 'pipeline';
  if (Array.isArray(body['tools'])) changes['tools'] = body['tools'].slice(0, 1).map(settleTool);
  // A tool that is named twice has the name of another one.
  if (Array.isArray(body['tool_ids'])) changes['tool_ids'] = [...new Set(body['tool_ids'].map(Number))];
  const isInbound = body['calls_direction'] === 'receive' || body['type'] === 'inbound';
  if (isInbound && typeof body['phone_number_id'] !== 'object') delete changes['phone_number_id'];
  if (isTrue(body['is_webhook_active']) && body['webhook_url'] == null) {
    changes['webhook_url'] = 'https://example.com/hook';
  }
  return changes;
}

/**
 * A header that was not stored before has to bring its value; the address of an MCP server holds no variables; destinations
 * have distinct names, and a word accepts or declines.
 */
function settleTool(tool: Body): Body {
  const { headers, type, url, destinations } = tool;
  const settledTool = {
    ...tool,
    ...(type === 'mcp' && typeof url === 'string' && { url: withoutVariables(url) }),
    ...(Array.isArray(destinations) && { destinations: destinations.slice(0, 1) }),
    ...('accept_words' in tool && { accept_words: ['yes', 'gladly'] }),
    ...('decline_words' in tool && { decline_words: ['no'] }),
  };
  if (!Array.isArray(headers)) return settledTool;
  return {
    ...settledTool,
    headers: headers.map((header: Body) => ({ ...header, value: header['value'] ?? 'secret' })),
  };
}

/** A header that was not stored before has to bring its value; the names of arguments are unique. */
function settleAccountTool(body: Body): Body {
  const { schema } = body;
  return { ...settleTool(body), ...(Array.isArray(schema) && { schema: schema.slice(0, 1) }) };
}

function settleMessages(body: Body): Body {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map((one: Body) => ({ ...one, role: 'user' })) };
}

/** A retry until a goal is reached requires the variable that records the goal. */
function settleCampaign(body: Body): Body {
  return isTrue(body['retry_on_goal_incomplete']) ? { ...body, goal_completion_variable: 'status' } : body;
}

/** A trunk and a provider have one price each. */
function settlePrices(body: Body): Body {
  const first = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, 1) : list);
  const settled = Object.fromEntries(Object.entries(body).map(([name, list]) => [name, first(list)]));
  // Three letters may be no currency.
  return settled['currency'] ? { ...settled, currency: 'EUR' } : settled;
}

/** Names of models and voices are unique in an installation. */
function settleProvider(body: Body): Body {
  const renamed = (list: unknown): unknown =>
    Array.isArray(list) ? list.map((offer: Body) => ({ ...offer, name: randomUUID() })) : list;
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
  return { ...body, ...Object.fromEntries(lists.map(([name, list]) => [name, renamed(list)])) };
}

/** A compatible server requires an address. Keys are verified there, so the address refuses connections at once. */
function settleNewProvider(body: Body): Body {
  const { kind: _kind, ...rest } = settleProvider(body);
  return { ...rest, base_url: 'http://127.0.0.1:9/v1' };
}

function withoutVariables(address: string): string {
  return address.replaceAll(/\{\{\w+\}\}/g, '1');
}

function isTrue(value: unknown): boolean {
  return [true, 'true', 1, '1'].includes(value as string);
}
