/**
 * Rules of single endpoints that a schema cannot express: dependencies between fields, numbers that may be used once, and
 * states in which a valid request is refused. Each has its reason.
 */
import { randomUUID } from 'node:crypto';
import type { ContractRoute } from './contract-routes.ts';
import type { Body } from './valid-values.ts';
import { nextPhoneNumber } from './world.ts';

interface Hint {
  /** Makes a generated body consistent. */
  settle?: (body: Body) => Body;
  /** Statuses other than 2xx that are allowed for a valid request. */
  mayAnswer?: number[];
}

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
  // Names are unique, and many runs draw the longest one twice.
  'folders.create': { mayAnswer: [422] },
  'folders.update': { mayAnswer: [422] },
  'labels.create': { mayAnswer: [422] },
  'labels.update': { mayAnswer: [422] },
  // Many runs make more than an account may have.
  'knowledgebases.create': { mayAnswer: [422] },
  // The built-in model follows a script and takes no instructions.
  'calls.make': { settle: ({ instructions: _instructions, ...body }) => body },
  // The address is that of a WebSocket, names are unique, and the assistant may have got a disclosure message.
  'calls.makeStream': {
    settle: (body) => ({ ...body, url: 'wss://agent.example/media', parameters: [] }),
    mayAnswer: [422],
  },
  // The call is over already; a live one is hung up in rest/contract.test.ts.
  'calls.hangUp': { mayAnswer: [409] },
  // The carrier refuses generated secrets; the tests of the other endpoints make more than an account may have.
  'carrierAccounts.create': {
    settle: (body) => ({
      ...body,
      kind: 'telnyx',
      account_sid: null,
      secret: 'KEY-generated',
      is_shared: false,
    }),
    mayAnswer: [409, 422],
  },
  'carrierAccounts.update': { mayAnswer: [422] },
  // Twilio needs an address.
  'carrierAccounts.connect': { mayAnswer: [422] },
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
  // The source depends on the type.
  'documents.create': { settle: settleDocument },
  'doNotCall.remove': { mayAnswer: [404] },
  // Only a user who was disabled before is removed.
  'users.remove': { mayAnswer: [409] },
  // The file that is sent has commas, a header, and the columns that `mapping` may name.
  'leadImports.create': { mayAnswer: [422] },
  // The assistants of the world make calls; two choices of a menu may have the same key.
  'phoneNumbers.setRoute': { settle: settleRoute, mayAnswer: [422] },
  // The whole sound is decoded later; the tests of the other endpoints store more than an assistant may have.
  'recordedPhrases.create': {
    settle: (body) => ({ ...body, text: `Good morning ${randomUUID()}.`, file: 'UklGRg==' }),
    mayAnswer: [409, 422],
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
  // A text of a suite; the tests of the other endpoints store more than an account may have.
  'suites.create': { settle: settleSuite, mayAnswer: [422] },
  'suites.update': { settle: settleSuite },
  // Its assistant does not exist, and no worker ends the runs that an account may have at a time.
  'suites.start': { mayAnswer: [409, 422] },
  // The call has no words.
  'suiteRuns.replay': { mayAnswer: [409, 422] },
  // A token with limits cannot have the scope write.
  'tokens.create': { settle: (body) => ({ ...body, scopes: ['read', 'call'] }) },
  'tools.create': { settle: settleAccountTool },
  'tools.update': { settle: settleAccountTool },
  // The tests of the other endpoints make more than an account may have.
  'webhookEndpoints.create': { mayAnswer: [409] },
  'users.create': { settle: (body) => ({ ...body, email: `${randomUUID()}@parley.example` }) },
};

/** A body that also satisfies the rules between fields. */
export function settled(route: ContractRoute, body: Body): Body {
  const { settle = (same: Body) => same } = hints[route.name] ?? {};
  return settle(withFreshNumbers(body) as Body);
}

/** Whether a valid request may be refused with this status. */
export function mayAnswer(route: ContractRoute, status: number): boolean {
  return (status >= 200 && status < 300) || (hints[route.name]?.mayAnswer ?? []).includes(status);
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

/** The address of a stream is that of a WebSocket. A queue is complete, so that the tests can change one of its parts. */
function settleRoute(body: Body): Body {
  const { rules, otherwise } = body;
  const settleRule = (rule: unknown): unknown =>
    isBody(rule) ? { ...rule, action: settleAction(rule['action']) } : rule;
  return {
    ...body,
    ...('otherwise' in body && { otherwise: settleAction(otherwise) }),
    ...(Array.isArray(rules) && { rules: rules.map(settleRule) }),
    ...(!('queue' in body) && {
      queue: { max_calls: 2, text: 'Please wait.', overflow: { type: 'reject' } },
    }),
  };
}

function settleAction(action: unknown): unknown {
  if (!isBody(action) || action['type'] !== 'stream') return action;
  return { ...action, url: 'wss://agent.example/media', parameters: [] };
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A suite of one caller. */
function settleSuite(body: Body): Body {
  const { definition } = body;
  const isText = typeof definition === 'string' && definition.trim() !== '' && definition.length < 10_000;
  if (!isText) return body;
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

/** A header that was not stored before has to bring its value; the address of an MCP server holds no variables. */
function settleTool(tool: Body): Body {
  const { headers, type, url } = tool;
  const settledTool =
    type === 'mcp' && typeof url === 'string' ? { ...tool, url: withoutVariables(url) } : tool;
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
