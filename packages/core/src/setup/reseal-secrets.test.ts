import { newEndpointBody, newTrunkBody, updateAssistantBody } from '@parley/contracts';
import { CarrierAccount, statement, User } from '@parley/db';
import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, makeAnsweredCall } from '../../test/arrange.ts';
import { createCoreContext, type CoreContext } from '../context.ts';
import { createAccountTool } from '../assistants/account-tools.ts';
import { createEndpoint, rotateEndpointSecret } from '../webhooks/endpoints.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { addProvider } from '../lookups/add-provider.ts';
import { createSecretBox } from '../shared/secret-box.ts';
import { addTrunk } from '../trunks/trunks.ts';
import { makeTotpSecret } from '../users/totp.ts';
import { rotateWebhookSecret } from '../webhooks/webhook-secret.ts';
import { storeCallProgress, type CallProgress } from '../lifecycle/call-progress.ts';
import { resealSecrets } from './reseal-secrets.ts';

const database = useTestDatabase();
const OLD_KEY = 'a secret key of at least 32 characters';
const NEW_KEY = 'another secret key of at least 32 characters';
const SEALED = /v1\.[\w-]{16}\.[\w-]{22}\.[\w-]*/g;

const sealedColumns = statement<{ place: string }>(
  '',
  `select table_name || '.' || column_name as place from information_schema.columns
   where table_schema = 'public' and column_name like '%\\_sealed' order by 1`,
);
const tables = statement<{ name: string }>(
  '',
  `select table_name::text as name from information_schema.tables
   where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'calls%'`,
);

/** All sealed secrets of the database by table, but those that calls have copied from their assistants. */
async function storedSecrets(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { name } of await database.db.query(tables)) {
    const rows = statement<{ row: string }>('', `select to_jsonb(t)::text as row from "${name}" t`);
    const texts = (await database.db.query(rows)).flatMap(({ row }) => row.match(SEALED) ?? []);
    if (texts.length > 0) found.set(name, texts);
  }
  return found;
}

function withKeys(ctx: CoreContext, secretKey: string, ...otherSecretKeys: string[]): CoreContext {
  const { clock, db, recordings } = ctx;
  return createCoreContext({ clock, db, recordings, log: silentLog, secretKey, otherSecretKeys });
}

/** An installation with a secret in every place that stores one, and a call in progress. */
async function setup() {
  const header = { name: 'Authorization', value: 'Bearer secret' };
  const tool = {
    type: 'http_request',
    name: 'look_up',
    description: 'Looks up.',
    url: 'https://shop.example',
  };
  const about = await arrange(database.db, { tools: [{ ...tool, headers: [header] }] });
  const { ctx, identity, assistant } = about;
  const tools = [{ ...tool, headers: [{ ...header, value: 'Bearer other' }] }];
  const changes = updateAssistantBody.parse({ tools });
  await updateAssistant(ctx, identity, { id: assistant.id, changes });
  await createAccountTool(ctx, identity, {
    name: 'book',
    description: 'Books.',
    endpoint: 'https://shop.example',
    method: 'POST',
    timeout: 10,
    headers: [header],
    schema: [],
  });
  const receiver = newEndpointBody.parse({ url: 'https://receiver.example', events: ['call.ended'] });
  const { id } = await createEndpoint(ctx, identity, receiver);
  await rotateEndpointSecret(ctx, identity, { id, keepOldForHours: 24 });
  const trunk = { name: 'Carrier', host: 'sip.carrier.example', username: 'u', password: 'secret' };
  await addTrunk(ctx, identity, newTrunkBody.parse(trunk));
  await addProvider(ctx, {
    name: 'Hosted',
    kind: 'openai-compatible',
    baseUrl: 'https://models.example/v1',
    apiKey: 'sk-secret',
    models: [],
    voices: [],
  });
  const account = {
    userId: identity.userId,
    name: 'Main',
    kind: 'telnyx',
    tag: 'a1',
    createdAt: new Date(),
  } as const;
  await ctx.db.transaction(async ({ em }) => {
    em.create(CarrierAccount, { ...account, secretSealed: ctx.secretBox.seal('KEY-secret') });
  });
  await rotateWebhookSecret(ctx, identity, 24);
  const secret = ctx.secretBox.seal(makeTotpSecret());
  await ctx.db.transaction(({ em }) =>
    em.nativeUpdate(User, { id: identity.userId }, { totpSecretSealed: secret }),
  );
  await makeAnsweredCall(about);
  return about;
}

it('seals every stored secret with the new key, once', async () => {
  const { ctx } = await setup();
  // A new column of secrets must be resealed too: add it to reseal-secrets.ts, and a secret for it to this test.
  expect((await database.db.query(sealedColumns)).map(({ place }) => place)).toEqual([
    'carrier_accounts.secret_sealed',
    'providers.api_key_sealed',
    'trunks.password_sealed',
    'users.totp_secret_sealed',
    'users.webhook_secret_old_sealed',
    'users.webhook_secret_sealed',
    'webhook_endpoints.secret_old_sealed',
    'webhook_endpoints.secret_sealed',
  ]);
  const [before, old] = [await storedSecrets(), createSecretBox(OLD_KEY)];
  expect([...before.keys()].toSorted()).toEqual([
    'assistant_versions',
    'assistants',
    'carrier_accounts',
    'providers',
    'tools',
    'trunks',
    'users',
    'webhook_endpoints',
  ]);
  const changing = withKeys(ctx, NEW_KEY, OLD_KEY);
  expect(await resealSecrets(changing)).toEqual({ changed: 8, callsWithOtherKeys: 1 });
  const box = createSecretBox(NEW_KEY);
  for (const [table, secrets] of await storedSecrets())
    expect(
      secrets.map((one) => box.open(one)),
      table,
    ).toEqual(before.get(table)?.map((one) => old.open(one)));
  expect(await resealSecrets(changing)).toEqual({ changed: 0, callsWithOtherKeys: 1 });
});

it('names only the calls in progress that need the former key', async () => {
  const { ctx, ...about } = await setup();
  const changing = withKeys(ctx, NEW_KEY, OLD_KEY);
  const before = (await resealSecrets(changing)).callsWithOtherKeys;
  expect(before).toBeGreaterThan(0);
  const later = { ...about, ctx: changing };
  const callId = await makeAnsweredCall(later);
  const { fence } = about;
  expect((await resealSecrets(changing)).callsWithOtherKeys).toBe(before);
  const progress: CallProgress = {
    transcript: '',
    turns: [],
    toolCalls: [],
    variables: {},
    answeredBy: 'human',
    used: [],
    conversation: null,
  };
  await storeCallProgress(ctx, { callId, fence, progress });
  expect((await resealSecrets(changing)).callsWithOtherKeys).toBe(before + 1);
  await storeCallProgress(changing, { callId, fence, progress });
  expect((await resealSecrets(changing)).callsWithOtherKeys).toBe(before);
  expect((await resealSecrets(withKeys(ctx, NEW_KEY))).callsWithOtherKeys).toBe(before);
});

it('changes nothing where the former key is missing', async () => {
  const { ctx } = await setup();
  const before = await storedSecrets();
  const another = withKeys(ctx, 'a third secret key of at least 32 characters');
  await expect(resealSecrets(another)).rejects.toThrow('sealed with an unknown key');
  expect(await storedSecrets()).toEqual(before);
});

class KilledError extends Error {}

/** A context whose process is killed before the commit number `commits`. */
function killedBefore(ctx: CoreContext, commits: number): CoreContext {
  let left = commits;
  const db = Object.create(ctx.db) as CoreContext['db'];
  db.query = async (...input) => ctx.db.query(...input);
  db.transaction = (work) =>
    ctx.db.transaction(async (tx) => {
      const result = await work(tx);
      if (left-- <= 0) throw new KilledError();
      return result;
    });
  return { ...ctx, db };
}

it('two processes that are killed at any step, and changes meanwhile, lose no secret', async () => {
  const { ctx, identity, assistant } = await setup();
  const [opening, sealing] = [withKeys(ctx, OLD_KEY, NEW_KEY), withKeys(ctx, NEW_KEY, OLD_KEY)];
  /** Every secret, whichever key has sealed it, without those that a change replaces. */
  const plain = async (): Promise<string[]> => {
    const texts = [...(await storedSecrets()).values()].flat().map((one) => opening.secretBox.open(one));
    return [...new Set(texts)].filter((text) => !text.startsWith('Changed')).toSorted();
  };
  const before = await plain();
  let kills = 0;
  for (let commits = 0, isOver = false; !isOver; commits++) {
    const header = { name: 'X-Key', value: `Changed ${commits}` };
    const tools = [
      {
        type: 'http_request',
        name: 'look_up',
        description: 'Looks up.',
        url: 'https://shop.example',
        headers: [{ name: 'Authorization' }, header],
      },
    ];
    const changes = updateAssistantBody.parse({ tools });
    const outcomes = await Promise.allSettled([
      resealSecrets(killedBefore(sealing, commits)),
      resealSecrets(killedBefore(sealing, commits)),
      updateAssistant(sealing, identity, { id: assistant.id, changes }),
    ]);
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    for (const error of refused) expect(error).toBeInstanceOf(KilledError);
    kills += refused.length;
    isOver = refused.length === 0;
    expect(await plain()).toEqual(before);
  }
  expect(kills).toBeGreaterThan(16);
  const box = createSecretBox(NEW_KEY);
  for (const [table, secrets] of await storedSecrets())
    for (const one of secrets) expect(() => box.open(one), table).not.toThrow();
});
