/** Rows of the administrative endpoints for tests, created over REST by the first user. */
import { countPerFile, TELNYX_KEY, TWILIO_ACCOUNT } from '@parley/testkit';
import type { LiveApi, TestRequest } from './live-api.ts';

/** A request and the expected status. */
export interface GoodRequest {
  path: string;
  request?: TestRequest;
  status?: number;
}

/** The ids of the rows that {@link makeAdministration} created. */
export interface Administration {
  trunkId: number;
  spareTrunkId: number;
  numberId: number;
  providerId: number;
  spareProviderId: number;
  tokenId: number;
  userId: number;
  disabledUserId: number;
  folderId: number;
  labelId: number;
  toolId: number;
  spareToolId: number;
  endpointId: number;
  spareEndpointId: number;
  knowledgebaseId: number;
  spareKnowledgebaseId: number;
  accountId: number;
  spareAccountId: number;
  /** A number of the account. */
  carrierNumberId: number;
  smsId: number;
  /** A number on sale, without its `+`. */
  offeredDigits: number;
  suiteId: number;
  spareSuiteId: number;
  suiteRunId: number;
  spareSuiteRunId: number;
  suiteConversationId: number;
  documentId: number;
  spareDocumentId: number;
}

const next = countPerFile();

/** One row of each kind, and a spare one where a test deletes one. */
export async function makeAdministration(live: LiveApi): Promise<Administration> {
  const made = next();
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await live.ask(`/api/user/${path}`, { method: 'POST', body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return (answer.body as { data: { id: number } }).data.id;
  };
  const trunk = { name: 'Carrier', host: 'sip.carrier.example' };
  const provider = (name: string) => ({ name, base_url: 'http://127.0.0.1:1/v1', models: [{ name }] });
  const trunkId = await make('phone-numbers/sip-trunks', trunk);
  await live.ask('/api/user/do-not-call', { method: 'POST', body: { phone_number: '+12025550198' } });
  const consent = { phone_number: '+12025550195', source: 'Web form' };
  await live.ask('/api/user/consents', { method: 'POST', body: consent });
  const disabledUserId = await make('users', { name: 'Former', email: `former${made}@parley.example` });
  await live.ask(`/api/user/users/${disabledUserId}`, { method: 'PUT', body: { is_disabled: true } });
  const knowledgebaseId = await make('knowledgebases', { name: 'Shop' });
  const document = { name: 'Hours', type: 'txt', content: 'We open at nine.' };
  const account = {
    name: 'Main',
    kind: 'twilio',
    account_sid: TWILIO_ACCOUNT.sid,
    secret: TWILIO_ACCOUNT.token,
  };
  const accountId = await make('carrier-accounts', account);
  const connect = { method: 'POST', body: { sip_address: 'sip.parley.example' } };
  await live.ask(`${ACCOUNTS}/${accountId}/connect`, connect);
  const { world } = live.twilio;
  const offered = [4, 6].map((thousand) => `+1202555${thousand * 1000 + made}`);
  for (const number of offered) world.sell(number);
  world.own(OWNED, `PN${world.nextId()}`);
  const carrierNumberId = await make('phone-numbers/purchase', {
    phone_number: offered[0],
    carrier_account_id: accountId,
  });
  const suiteId = await make('suites', SUITE);
  const suiteRunId = await make(`suites/${suiteId}/runs`, {});
  const spareSuiteRunId = await make(`suites/${suiteId}/runs`, {});
  await live.ask(`/api/user/suite-runs/${spareSuiteRunId}/cancel`, { method: 'POST', body: {} });
  const run = await live.ask(`/api/user/suite-runs/${suiteRunId}`);
  const { callers } = run.body as { callers: { conversations: { id: number }[] }[] };
  const message = { from: carrierNumberId, to: '+12025550142', body: 'Hello' };
  return {
    accountId,
    offeredDigits: Number(offered[1]?.slice(1)),
    spareAccountId: await make('carrier-accounts', account),
    carrierNumberId,
    suiteId,
    suiteRunId,
    spareSuiteRunId,
    spareSuiteId: await make('suites', SUITE),
    suiteConversationId: callers[0]?.conversations[0]?.id ?? 0,
    smsId: await make('sms', message),
    trunkId,
    spareTrunkId: await make('phone-numbers/sip-trunks', trunk),
    numberId: await make('phone-numbers', {
      phone_number: `+1202555${3000 + made}`,
      sip_trunk_id: trunkId,
    }),
    providerId: await make('providers', provider(`Model ${made}`)),
    spareProviderId: await make('providers', provider(`Spare model ${made}`)),
    tokenId: await make('tokens', { name: 'Spare' }),
    folderId: await make('folders', { name: `Folder ${made}` }),
    labelId: await make('labels', { name: `Label ${made}` }),
    toolId: await make('tools', TOOL),
    spareToolId: await make('tools', TOOL),
    endpointId: await make('webhook-endpoints', ENDPOINT),
    spareEndpointId: await make('webhook-endpoints', ENDPOINT),
    knowledgebaseId,
    spareKnowledgebaseId: await make('knowledgebases', { name: 'Spare' }),
    documentId: await make(`knowledgebases/${knowledgebaseId}/documents`, document),
    spareDocumentId: await make(`knowledgebases/${knowledgebaseId}/documents`, document),
    userId: await make('users', { name: 'Member', email: `member${made}@parley.example` }),
    disabledUserId,
  };
}

const ACCOUNTS = '/api/user/carrier-accounts';
/** A number that the simulated account owns. */
const OWNED = '+12025557001';

/** Its assistant is the first one, which exists. */
const SUITE = { definition: 'assistant: 1\ncallers: [{ name: asks, script: [Hello.] }]' };
const SUITES = '/api/user/suites';
const SUITE_RUNS = '/api/user/suite-runs';

const TOOL = {
  name: 'look_up',
  description: 'Looks up opening hours.',
  endpoint: 'https://hours.example/',
  method: 'GET',
};

/** The address of the test event, which cannot be reached. */
const ENDPOINT = { url: 'http://127.0.0.1:9/events', events: ['call.ended', 'lead.settled'] };
const ENDPOINTS = '/api/user/webhook-endpoints';

const send = (method: string, path: string, body?: unknown, status = 200): GoodRequest => ({
  path,
  request: { method, ...(body === undefined ? {} : { body }) },
  status,
});

const BASES = '/api/user/knowledgebases';
const baseOf = ({ knowledgebaseId }: Administration): string => `${BASES}/${knowledgebaseId}`;
const TRUNKS = '/api/user/phone-numbers/sip-trunks';

/** One good request for each administrative endpoint, by its name in the contract. */
export function administrationRequests(ids: () => Administration): Record<string, () => GoodRequest> {
  return {
    'tokens.list': () => ({ path: '/api/user/tokens' }),
    'tokens.create': () => send('POST', '/api/user/tokens', { name: 'Script', scopes: ['read'] }, 201),
    'tokens.revoke': () => send('DELETE', `/api/user/tokens/${ids().tokenId}`),
    'users.list': () => ({ path: '/api/user/users' }),
    'users.create': () =>
      send('POST', '/api/user/users', { name: 'Zoe', email: 'zoe@parley.example', role: 'member' }, 201),
    'users.update': () => send('PUT', `/api/user/users/${ids().userId}`, { timezone: 'Europe/Berlin' }),
    'users.remove': () => send('DELETE', `/api/user/users/${ids().disabledUserId}`),
    'folders.list': () => ({ path: '/api/user/folders?per_page=5' }),
    'folders.create': () => send('POST', '/api/user/folders', { name: 'Customer A', color: 'teal' }, 201),
    'folders.update': () => send('PUT', `/api/user/folders/${ids().folderId}`, { color: null }),
    'folders.remove': () => send('DELETE', `/api/user/folders/${ids().folderId}`),
    'labels.list': () => ({ path: '/api/user/labels?page=1' }),
    'labels.create': () => send('POST', '/api/user/labels', { name: 'sales' }, 201),
    'labels.update': () => send('PUT', `/api/user/labels/${ids().labelId}`, { name: 'support' }),
    'labels.remove': () => send('DELETE', `/api/user/labels/${ids().labelId}`),
    'suites.list': () => ({ path: SUITES }),
    'suites.create': () => send('POST', SUITES, SUITE, 201),
    'suites.get': () => ({ path: `${SUITES}/${ids().suiteId}` }),
    'suites.update': () => send('PUT', `${SUITES}/${ids().suiteId}`, { name: 'Renamed' }),
    'suites.remove': () => send('DELETE', `${SUITES}/${ids().spareSuiteId}`),
    'suites.start': () => send('POST', `${SUITES}/${ids().suiteId}/runs`, {}, 201),
    'suiteRuns.list': () => ({ path: SUITE_RUNS }),
    'suiteRuns.get': () => ({ path: `${SUITE_RUNS}/${ids().suiteRunId}` }),
    'suiteRuns.compare': () => ({
      path: `${SUITE_RUNS}/${ids().suiteRunId}/comparison?before_run_id=${ids().suiteRunId}`,
    }),
    'suiteRuns.conversation': () => ({
      path: `/api/user/suite-conversations/${ids().suiteConversationId}`,
    }),
    'suiteRuns.cancel': () => send('POST', `${SUITE_RUNS}/${ids().suiteRunId}/cancel`, {}),
    'suiteRuns.remove': () => send('DELETE', `${SUITE_RUNS}/${ids().spareSuiteRunId}`),
    'tools.list': () => ({ path: '/api/user/tools' }),
    'tools.create': () =>
      send(
        'POST',
        '/api/user/tools',
        {
          ...TOOL,
          name: 'book',
          timeout: '20',
          headers: [{ name: 'X-Key', value: 'secret' }],
          schema: [{ name: 'day', type: 'string', description: 'The day' }],
        },
        201,
      ),
    'tools.get': () => ({ path: `/api/user/tools/${ids().toolId}` }),
    'tools.update': () => send('PUT', `/api/user/tools/${ids().toolId}`, { timeout: 5 }),
    'tools.remove': () => send('DELETE', `/api/user/tools/${ids().spareToolId}`),
    'webhookEndpoints.list': () => ({ path: ENDPOINTS }),
    'webhookEndpoints.create': () =>
      send('POST', ENDPOINTS, { ...ENDPOINT, description: 'Orders', is_enabled: 'false' }, 201),
    'webhookEndpoints.get': () => ({ path: `${ENDPOINTS}/${ids().endpointId}` }),
    'webhookEndpoints.update': () =>
      send('PUT', `${ENDPOINTS}/${ids().endpointId}`, { events: ['recording.ready'] }),
    'webhookEndpoints.rotateSecret': () =>
      send('POST', `${ENDPOINTS}/${ids().endpointId}/rotate-secret`, { keep_old_for_hours: 1 }),
    'webhookEndpoints.test': () => send('POST', `${ENDPOINTS}/${ids().endpointId}/test`),
    'webhookEndpoints.remove': () => send('DELETE', `${ENDPOINTS}/${ids().spareEndpointId}`),
    'knowledgebases.list': () => ({ path: BASES }),
    'knowledgebases.create': () =>
      send('POST', BASES, { name: 'Products', description: 'What we sell' }, 201),
    'knowledgebases.get': () => ({ path: baseOf(ids()) }),
    'knowledgebases.update': () => send('PUT', baseOf(ids()), { description: null }),
    'knowledgebases.remove': () => send('DELETE', `${BASES}/${ids().spareKnowledgebaseId}`),
    'documents.list': () => ({ path: `${baseOf(ids())}/documents` }),
    'documents.create': () =>
      send(
        'POST',
        `${baseOf(ids())}/documents`,
        { name: 'Site', type: 'website', links: [{ link: 'https://shop.example/' }] },
        201,
      ),
    'documents.get': () => ({ path: `${baseOf(ids())}/documents/${ids().documentId}` }),
    'documents.update': () =>
      send('PUT', `${baseOf(ids())}/documents/${ids().documentId}`, { name: 'Opening hours' }),
    'documents.remove': () => send('DELETE', `${baseOf(ids())}/documents/${ids().spareDocumentId}`),
    'phoneNumbers.list': () => ({ path: '/api/user/phone-numbers' }),
    'phoneNumbers.create': () =>
      send(
        'POST',
        '/api/user/phone-numbers',
        { phone_number: '+1 202 555 2999', sip_trunk_id: String(ids().trunkId) },
        201,
      ),
    'phoneNumbers.setRoute': () =>
      send('PUT', `/api/user/phone-numbers/${ids().numberId}/inbound-route`, {
        timezone: 'Europe/Berlin',
        otherwise: { type: 'reject' },
      }),
    'phoneNumbers.removeRoute': () =>
      send('DELETE', `/api/user/phone-numbers/${ids().numberId}/inbound-route`),
    'phoneNumbers.remove': () => send('DELETE', `/api/user/phone-numbers/${ids().numberId}`),
    'phoneNumbers.all': () => ({ path: '/api/user/phone-numbers/all' }),
    'phoneNumbers.search': () => ({
      path: `/api/user/phone-numbers/search?country_code=US&contains=5556&carrier_account_id=${ids().accountId}`,
    }),
    'phoneNumbers.purchase': () =>
      send(
        'POST',
        '/api/user/phone-numbers/purchase',
        {
          phone_number: `+${ids().offeredDigits}`,
          carrier_account_id: ids().accountId,
          max_monthly_price: '2',
        },
        201,
      ),
    'phoneNumbers.update': () =>
      send('PUT', `/api/user/phone-numbers/${ids().carrierNumberId}`, { nickname: 'Support' }),
    'carrierAccounts.list': () => ({ path: ACCOUNTS }),
    'carrierAccounts.create': () =>
      send('POST', ACCOUNTS, { name: 'Telnyx', kind: 'telnyx', secret: TELNYX_KEY }, 201),
    'carrierAccounts.update': () => send('PUT', `${ACCOUNTS}/${ids().accountId}`, { name: 'Renamed' }),
    'carrierAccounts.connect': () =>
      send('POST', `${ACCOUNTS}/${ids().accountId}/connect`, { sip_address: 'sip.parley.example:5070' }),
    'carrierAccounts.listNumbers': () => ({ path: `${ACCOUNTS}/${ids().accountId}/numbers` }),
    'carrierAccounts.importNumbers': () =>
      send('POST', `${ACCOUNTS}/${ids().accountId}/numbers`, { phone_numbers: [OWNED] }, 201),
    'carrierAccounts.remove': () => send('DELETE', `${ACCOUNTS}/${ids().spareAccountId}`),
    'sms.send': () =>
      send('POST', '/api/user/sms', {
        from: String(ids().carrierNumberId),
        to: '+1 202 555 0142',
        body: 'Hi',
      }),
    'sms.get': () => ({ path: `/api/user/sms/${ids().smsId}` }),
    'sipTrunks.list': () => ({ path: TRUNKS }),
    'sipTrunks.create': () => send('POST', TRUNKS, { name: 'Other', host: '192.0.2.7', port: '5070' }, 201),
    'sipTrunks.get': () => ({ path: `${TRUNKS}/${ids().trunkId}` }),
    'sipTrunks.update': () => send('PUT', `${TRUNKS}/${ids().trunkId}`, { name: 'Main carrier' }),
    // No voice process runs here; the diagnosis itself is tested in apps/voice.
    'sipTrunks.diagnose': () => send('POST', `${TRUNKS}/${ids().trunkId}/diagnose`, {}, 503),
    'sipTrunks.remove': () => send('DELETE', `${TRUNKS}/${ids().spareTrunkId}`),
    'providers.list': () => ({ path: '/api/user/providers' }),
    'providers.create': () =>
      send('POST', '/api/user/providers', { name: 'Cloud', base_url: 'https://cloud.example/v1' }, 201),
    'providers.update': () => send('PUT', `/api/user/providers/${ids().providerId}`, { name: 'New name' }),
    'providers.remove': () => send('DELETE', `/api/user/providers/${ids().spareProviderId}`),
    'prices.get': () => ({ path: '/api/user/prices' }),
    'prices.set': () =>
      send('PUT', '/api/user/prices', {
        sip_trunks: [{ sip_trunk_id: ids().trunkId, per_minute: '0.012' }],
      }),
    'consents.list': () => ({ path: '/api/user/consents?phone_number=+1202&per_page=5' }),
    'consents.add': () =>
      send('POST', '/api/user/consents', { phone_number: '+1 202 555 0194', source: 'Web form' }, 201),
    'consents.remove': () => send('DELETE', '/api/user/consents', { phone_number: '+12025550195' }),
    'doNotCall.list': () => ({ path: '/api/user/do-not-call?phone_number=+1202&per_page=5' }),
    'doNotCall.file': () => ({ path: '/api/user/do-not-call.csv?phone_number=+1202' }),
    'doNotCall.add': () =>
      send('POST', '/api/user/do-not-call', { phone_number: '+1 202 555 0199', reason: 'asked for it' }, 201),
    'auditLog.list': () => ({ path: '/api/user/audit-log?operation=tokens&per_page=5' }),
    'apiLog.list': () => ({ path: '/api/user/api-log?operation=tokens&per_page=5' }),
    'people.erase': () => send('POST', '/api/user/people/erase', { phone_number: '+1 202 555 0197' }),
    'doNotCall.remove': () => send('DELETE', '/api/user/do-not-call', { phone_number: '+12025550198' }),
  };
}
