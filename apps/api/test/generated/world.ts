/**
 * Rows of a user, one factory for each resource. They are inserted into the database directly, so that the test of one
 * endpoint does not depend on another. A factory creates a new row each time, so tests may delete them.
 */
import { randomUUID } from 'node:crypto';
import { createToken, createUser } from '@parley/core';
import { statement, type SqlValue } from '@parley/db';
import { countPerFile, newAssistant, TWILIO_ACCOUNT } from '@parley/testkit';
import type { LiveApi } from '../live-api.ts';

/** The resources of a user that a request can refer to. */
export type Resource =
  | 'account'
  | 'assistant'
  | 'call'
  | 'campaign'
  | 'carrierAccount'
  | 'sms'
  | 'delivery'
  | 'endpoint'
  | 'document'
  | 'folder'
  | 'import'
  | 'knowledgebase'
  | 'suite'
  | 'suiteRun'
  | 'suiteConversation'
  | 'label'
  | 'lead'
  | 'model'
  | 'embeddingModel'
  | 'phoneNumber'
  | 'provider'
  | 'recordedPhrase'
  | 'token'
  | 'tool'
  | 'trunk'
  | 'user'
  | 'voice'
  | 'writtenConversation';

/** A user with a token. */
export interface Person {
  userId: number;
  token: string;
}

/** A row: its id, and its name if requests may use that. */
export interface MadeRow {
  id: number | string;
  name: string;
  /** For a row below another one: the id of the upper row, which its path contains too. */
  parentId?: number | string;
}

type Factory = (live: LiveApi, owner: Person) => Promise<MadeRow>;

/** A missing id: far above every sequence, and still an integer of Postgres. */
export const MISSING_ID = 987_654_321_012;

/** A reference to a missing row. */
export function missing(resource: Resource): MadeRow {
  const hasUuid = resource === 'delivery' || resource === 'writtenConversation';
  return { id: hasUuid ? '9f0c9a8f-1d2e-4f3a-8b6a-1f0a45a0e4b7' : MISSING_ID, name: 'Missing' };
}

/** The stored data of a tool, without its name. */
const HTTP_TOOL = {
  description: 'Looks up opening hours.',
  url: 'https://hours.example/',
  method: 'GET',
  headers: [],
  parameters: { type: 'object', properties: {}, required: [] },
  timeout_seconds: 10,
};

const factories: Record<Resource, Factory> = {
  /** A user as operators receive it. */
  async account(live) {
    const name = uniqueName('User');
    const email = `${randomUUID()}@parley.example`;
    const { id } = await createUser(live.core, { name, email, role: 'member' });
    return { id, name };
  },
  async assistant(live, owner) {
    const name = uniqueName('Assistant');
    const answer = await live.ask('/api/user/assistant', {
      method: 'POST',
      token: owner.token,
      body: newAssistant({ assistant_name: name }),
    });
    if (answer.status !== 201) throw new Error(`No assistant: ${answer.text}`);
    return { id: (answer.body as { data: { id: number } }).data.id, name };
  },
  async campaign(live, owner) {
    const assistant = await factories.assistant(live, owner);
    return insert(live, 'campaigns', {
      user_id: owner.userId,
      assistant_id: assistant.id,
      name: uniqueName('Campaign'),
      status: 'draft',
      timezone: 'UTC',
      max_calls_in_parallel: 3,
      is_completed_without_leads: true,
      allowed_from: '00:00:00',
      allowed_until: '23:59:00',
      allowed_days: ['monday', 'sunday'],
      max_retries: 3,
      retry_interval_seconds: 3600,
      is_voicemail_retried: false,
      is_unmet_goal_retried: false,
      phone_number_ids: '[]',
      ...times(live, 'created_at', 'updated_at'),
    });
  },
  async import(live, owner) {
    const campaign = await factories.campaign(live, owner);
    return insert(live, 'lead_imports', {
      user_id: owner.userId,
      campaign_id: campaign.id,
      begun_as: 'digest',
      content_hash: 'digest',
      state: 'finished',
      run: 1,
      bytes_read: 0,
      ...times(live, 'created_at', 'updated_at', 'finished_at'),
    });
  },
  async lead(live, owner) {
    const campaign = await factories.campaign(live, owner);
    return insert(live, 'leads', {
      user_id: owner.userId,
      campaign_id: campaign.id,
      phone_number: nextPhoneNumber(),
      variables: '{"customer_name":"Ada"}',
      status: 'created',
      dial_state: 'waiting',
      ...times(live, 'created_at', 'updated_at'),
    });
  },
  async call(live, owner) {
    const lead = await factories.lead(live, owner);
    const [parents] = await live.core.db.query(parentsOfLead, [lead.id]);
    const [next] = await live.core.db.query(nextCallId);
    return insert(live, 'calls', {
      id: next?.id ?? 0,
      user_id: owner.userId,
      assistant_id: parents?.assistantId ?? 0,
      assistant_name: 'Anna',
      campaign_id: parents?.campaignId ?? 0,
      campaign_name: 'Spring',
      lead_id: lead.id,
      type: 'outbound',
      status: 'completed',
      assistant_phone_number: '+12025550100',
      client_phone_number: nextPhoneNumber(),
      configuration: '{}',
      ...times(live, 'created_at', 'changed_at', 'updated_at', 'answered_at', 'ended_at'),
    });
  },
  /** A webhook that was given up; its assistant's webhook is on. */
  async delivery(live, owner) {
    const call = await factories.call(live, owner);
    const [assistant] = await live.core.db.query(switchWebhookOn, [call.id]);
    return insert(live, 'deliveries', {
      id: randomUUID(),
      call_id: call.id,
      user_id: owner.userId,
      assistant_id: assistant?.id ?? 0,
      event: 'call.finished',
      target: 'post-call',
      url: 'https://example.com/hook',
      origin: 'https://example.com',
      payload: '{"event":"call.finished"}',
      status: 'failed',
      reason: 'tries_used_up',
      ...times(live, 'call_created_at', 'created_at', 'settled_at'),
    });
  },
  endpoint: (live, owner) =>
    insert(live, 'webhook_endpoints', {
      user_id: owner.userId,
      url: 'http://127.0.0.1:9/events',
      description: '',
      events: '["call.ended"]',
      assistant_ids: '[]',
      campaign_ids: '[]',
      is_enabled: true,
      secret_sealed: live.core.secretBox.seal(`whsec_${Buffer.from(randomUUID()).toString('base64')}`),
      ...times(live, 'created_at', 'updated_at'),
    }),
  /** With the right credentials of the simulated Twilio. */
  carrierAccount: (live, owner) =>
    insert(live, 'carrier_accounts', {
      user_id: owner.userId,
      name: uniqueName('Account'),
      kind: 'twilio',
      account_sid: TWILIO_ACCOUNT.sid,
      secret_sealed: live.core.secretBox.seal(TWILIO_ACCOUNT.token),
      tag: randomUUID().slice(0, 8),
      ...times(live, 'created_at'),
    }),
  async sms(live, owner) {
    const account = await factories.carrierAccount(live, owner);
    const number = await factories.phoneNumber(live, owner);
    return insert(live, 'sms_messages', {
      user_id: owner.userId,
      carrier_account_id: account.id,
      phone_number_id: number.id,
      from_number: nextPhoneNumber(),
      to_number: nextPhoneNumber(),
      body: 'Hello',
      status: 'sent',
      ...times(live, 'created_at', 'updated_at'),
    });
  },
  async writtenConversation(live, owner) {
    const { id } = await factories.assistant(live, owner);
    return insertConversation(live, owner, Number(id));
  },
  folder: (live, owner) => insertGroup(live, owner, 'folder'),
  label: (live, owner) => insertGroup(live, owner, 'label'),
  async model(live, owner) {
    const provider = await factories.provider(live, owner);
    const name = uniqueName('Model');
    return insert(live, 'llm_models', {
      name,
      provider_id: provider.id,
      wire_name: name,
      purpose: 'conversation',
    });
  },
  async embeddingModel(live, owner) {
    const provider = await factories.provider(live, owner);
    const name = uniqueName('Embedding model');
    return insert(live, 'llm_models', {
      name,
      provider_id: provider.id,
      wire_name: name,
      purpose: 'embedding',
    });
  },
  async phoneNumber(live, owner) {
    const trunk = await factories.trunk(live, owner);
    return insert(live, 'phone_numbers', {
      user_id: owner.userId,
      trunk_id: trunk.id,
      phone_number: nextPhoneNumber(),
      country_code: 'US',
      type_label: 'SIP',
      ...times(live, 'created_at'),
    });
  },
  provider: (live, owner) =>
    insert(live, 'providers', {
      user_id: owner.userId,
      name: uniqueName('Provider'),
      kind: 'openai-compatible',
      base_url: 'http://127.0.0.1:9/v1',
      ...times(live, 'created_at'),
    }),
  trunk: (live, owner) =>
    insert(live, 'trunks', {
      user_id: owner.userId,
      name: uniqueName('Trunk'),
      host: '127.0.0.1',
      port: 9,
      transport: 'udp',
      reach: 'fictional',
      ...times(live, 'created_at'),
    }),
  async token(live, owner) {
    const name = uniqueName('Token');
    const { id } = await createToken(live.core, { userId: owner.userId, name });
    return { id, name };
  },
  knowledgebase: (live, owner) =>
    insert(live, 'knowledgebases', {
      user_id: owner.userId,
      name: uniqueName('Base'),
      ...times(live, 'created_at', 'updated_at'),
    }),
  async document(live, owner) {
    const { id: parentId } = await factories.knowledgebase(live, owner);
    const row = await insert(live, 'documents', {
      user_id: owner.userId,
      knowledgebase_id: parentId,
      name: uniqueName('Document'),
      type: 'txt',
      status: 'active',
      links: '[]',
      characters: 16,
      chunks: 0,
      ...times(live, 'created_at', 'updated_at'),
    });
    return { ...row, parentId };
  },
  suite: (live, owner) =>
    insert(live, 'suites', {
      user_id: owner.userId,
      name: uniqueName('Suite'),
      definition: 'assistant: Nobody\ncallers: [{ name: asks, script: [Hello.] }]',
      callers_count: 1,
      conversations_count: 1,
      ...times(live, 'created_at', 'updated_at'),
    }),
  suiteRun: async (live, owner) => {
    const { id: suiteId } = await factories.suite(live, owner);
    return insert(live, 'suite_runs', {
      user_id: owner.userId,
      suite_id: suiteId,
      name: uniqueName('Run'),
      definition: '',
      callers: JSON.stringify([{ name: 'asks', mode: 'text', assistant: 'Nobody', runs: 1, required: 1 }]),
      assistants: '[]',
      status: 'passed',
      parallel: 1,
      ...times(live, 'run_until', 'created_at', 'finished_at'),
    });
  },
  async suiteConversation(live, owner) {
    const { id: runId } = await factories.suiteRun(live, owner);
    return insert(live, 'suite_conversations', {
      run_id: runId,
      position: 0,
      number: 1,
      mode: 'text',
      state: 'done',
      attempt: 1,
      failures: '[]',
    });
  },
  async recordedPhrase(live, owner) {
    const { id: parentId } = await factories.assistant(live, owner);
    const row = await insert(live, 'recorded_phrases', {
      user_id: owner.userId,
      assistant_id: parentId,
      text: uniqueName('Phrase'),
      status: 'failed',
      failure: 'It is silent.',
      duration_ms: 0,
      ...times(live, 'created_at', 'updated_at'),
    });
    return { ...row, parentId };
  },
  tool: (live, owner) =>
    insert(live, 'tools', {
      user_id: owner.userId,
      tool: JSON.stringify({ type: 'http_request', data: { ...HTTP_TOOL, name: `tool_${next()}` } }),
      ...times(live, 'created_at', 'updated_at'),
    }),
  /** The user as the owner of rows, which already exists. */
  async user(live, owner) {
    const [me] = await live.core.db.query(nameOfUser, [owner.userId]);
    return { id: owner.userId, name: me?.name ?? '' };
  },
  async voice(live, owner) {
    const provider = await factories.provider(live, owner);
    const name = uniqueName('Voice');
    return insert(live, 'voices', {
      name,
      mode: 'pipeline',
      provider_id: provider.id,
      user_id: owner.userId,
      wire_name: name,
    });
  },
};

/** Its id is its uuid. */
async function insertConversation(live: LiveApi, owner: Person, assistantId: number): Promise<MadeRow> {
  const uuid = randomUUID();
  await insert(live, 'written_conversations', {
    uuid,
    user_id: owner.userId,
    assistant_id: assistantId,
    type: 'widget',
    variables: '{}',
    collected: '{}',
    is_ai_enabled: true,
    ...times(live, 'inactive_at', 'created_at', 'updated_at'),
  });
  return { id: uuid, name: '' };
}

function insertGroup(live: LiveApi, owner: Person, kind: 'folder' | 'label'): Promise<MadeRow> {
  return insert(live, 'assistant_groups', {
    user_id: owner.userId,
    kind,
    name: uniqueName('Group'),
    ...times(live, 'created_at', 'updated_at'),
  });
}

/** A new row of a resource, with the rows that it depends on. */
export function make(live: LiveApi, resource: Resource, owner: Person): Promise<MadeRow> {
  return factories[resource](live, owner);
}

/** A row with a call and a written conversation, or a call with a webhook, so that a list filtered by it is not empty. */
export async function makeUsed(live: LiveApi, resource: Resource, owner: Person): Promise<MadeRow> {
  if (resource === 'call') return callOfDelivery(live, await make(live, 'delivery', owner));
  if (resource === 'endpoint') return endpointWithDelivery(live, owner);
  if (resource === 'suite') return suiteWithRun(live, owner);
  if (resource !== 'assistant' && resource !== 'campaign') return make(live, resource, owner);
  const call = await make(live, 'call', owner);
  const [parents] = await live.core.db.query(parentsOfCall, [call.id]);
  if (resource === 'campaign') return { id: parents?.campaignId ?? 0, name: '' };
  const id = parents?.assistantId ?? 0;
  await insertConversation(live, owner, id);
  return { id, name: '' };
}

async function suiteWithRun(live: LiveApi, owner: Person): Promise<MadeRow> {
  const run = await make(live, 'suiteRun', owner);
  const find = statement<{ id: number }>('', 'select suite_id as id from suite_runs where id = $1');
  const [suite] = await live.core.db.query(find, [run.id]);
  return { id: suite?.id ?? 0, name: '' };
}

async function endpointWithDelivery(live: LiveApi, owner: Person): Promise<MadeRow> {
  const endpoint = await make(live, 'endpoint', owner);
  const delivery = await make(live, 'delivery', owner);
  await live.core.db.query(sendToEndpoint, [delivery.id, endpoint.id]);
  return endpoint;
}

async function callOfDelivery(live: LiveApi, delivery: MadeRow): Promise<MadeRow> {
  const find = statement<{ id: number }>('', 'select call_id as id from deliveries where id = $1');
  const [call] = await live.core.db.query(find, [delivery.id]);
  return { id: call?.id ?? 0, name: '' };
}

const switchWebhookOn = statement<{ id: number }>(
  '',
  `update assistants set is_webhook_active = true, webhook_url = 'https://example.com/hook'
   where id = (select assistant_id from calls where id = $1) returning id`,
);
const sendToEndpoint = statement<{ id: number }>(
  '',
  'update deliveries set endpoint_id = $2 where id = $1 returning id',
);
const parentsOfCall = statement<{ campaignId: number; assistantId: number }>(
  '',
  'select campaign_id, assistant_id from calls where id = $1',
);
const parentsOfLead = statement<{ campaignId: number; assistantId: number }>(
  '',
  'select c.id as campaign_id, c.assistant_id from leads l join campaigns c on c.id = l.campaign_id where l.id = $1',
);
const nameOfUser = statement<{ name: string }>('', 'select name from users where id = $1');
const nextCallId = statement<{ id: number }>('', `select nextval('call_ids') as id`);

async function insert(live: LiveApi, table: string, row: Record<string, SqlValue>): Promise<MadeRow> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const [made] = await live.core.db.query(
    statement<{ id: number | string }>(
      `test_insert_${table}`,
      `insert into ${table} (${columns.join(', ')}) values (${places}) returning id`,
    ),
    Object.values(row),
  );
  if (!made) throw new Error(`No row was written to ${table}`);
  const { name } = row;
  return { id: made.id, name: typeof name === 'string' ? name : '' };
}

function times(live: LiveApi, ...columns: string[]): Record<string, Date> {
  return Object.fromEntries(columns.map((column) => [column, new Date(live.core.clock.now())]));
}

function uniqueName(word: string): string {
  return `${word} ${randomUUID()}`;
}

/** The simulated carriers sell numbers of area 202, which generated requests buy. */
const FIRST_AREA = 300;
const AREAS = 600;
const LAST_DIGITS = 100;
const next = countPerFile();

/** An unused North American number; repeats after 60,000 numbers. */
export function nextPhoneNumber(): string {
  const numbersMade = next();
  const area = FIRST_AREA + (Math.floor(numbersMade / LAST_DIGITS) % AREAS);
  return `+1${area}55501${String(numbersMade % LAST_DIGITS).padStart(2, '0')}`;
}
