/** How many rows of each kind one user may create, also with many requests at once. */
import { api, newTrunkBody, type NewTrunk } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, type Arrangement } from '../../test/arrange.ts';
import { createAccountTool } from '../assistants/account-tools.ts';
import { createAssistantGroup } from '../assistants/assistant-groups.ts';
import { copyAssistant } from '../assistants/copy-assistant.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { addNumber } from '../trunks/phone-numbers.ts';
import { addTrunk } from '../trunks/trunks.ts';
import { issueToken, listTokens } from './own-tokens.ts';

const database = useTestDatabase();
let names = 0;
const nextName = (): string => `Row ${names++}`;

type Create = (about: Arrangement) => Promise<unknown>;

interface Kind {
  table: string;
  most: number;
  field: string;
  create: Create;
  /** SQL of columns that must differ between rows. */
  distinct?: Record<string, string>;
}

const TOOL = { description: 'Looks up an order.', method: 'GET', endpoint: 'https://shop.example/' };

const trunk = (): NewTrunk =>
  newTrunkBody.parse({ name: nextName(), host: '192.0.2.10', transport: 'udp', reach: 'any' });

const KINDS: Kind[] = [
  {
    table: 'api_tokens',
    most: 1000,
    field: 'name',
    create: ({ ctx, identity }) => issueToken(ctx, identity, { name: nextName() }),
    distinct: { token_hash: `sha256(gen_random_uuid()::text::bytea)` },
  },
  {
    table: 'assistants',
    most: 5000,
    field: 'name',
    create: ({ ctx, identity, assistant }) =>
      copyAssistant(ctx, identity, { id: assistant.id, name: nextName() }),
    distinct: { uuid: 'gen_random_uuid()' },
  },
  ...(['folder', 'label'] as const).map((kind): Kind => ({
    table: 'assistant_groups',
    most: 1000,
    field: 'name',
    create: ({ ctx, identity }) => createAssistantGroup(ctx, identity, { kind, name: nextName() }),
    distinct: { name: 'gen_random_uuid()' },
  })),
  {
    table: 'tools',
    most: 1000,
    field: 'name',
    create: ({ ctx, identity }) =>
      createAccountTool(ctx, identity, api.tools.create.body.parse({ ...TOOL, name: `tool_${names++}` })),
  },
  {
    table: 'campaigns',
    most: 10_000,
    field: 'name',
    create: ({ ctx, identity, assistant }) =>
      createCampaign(
        ctx,
        identity,
        api.campaigns.create.body.parse({ name: nextName(), assistant_id: assistant.id }),
      ),
  },
  {
    table: 'trunks',
    most: 500,
    field: 'name',
    create: ({ ctx, identity }) => addTrunk(ctx, identity, trunk()),
  },
  {
    table: 'phone_numbers',
    most: 10_000,
    field: 'phone_number',
    create: async ({ ctx, identity }) => {
      const { id } = await addTrunk(ctx, identity, trunk());
      const number = `+4930${10_000_000 + names++}`;
      return addNumber(ctx, identity, { phone_number: number, sip_trunk_id: id, type_label: 'SIP' });
    },
    distinct: { phone_number: `'+49' || (1000000000 + n)` },
  },
];

/** Copies the newest row of a user until it has `count` of them. */
async function fill(
  { ctx, identity }: Arrangement,
  { table, distinct = {} }: Kind,
  copies: number,
): Promise<void> {
  const changes = { id: `nextval(pg_get_serial_sequence('${table}', 'id'))`, ...distinct };
  // No table has a column n; it makes Postgres evaluate the expressions for each copy.
  const pairs = Object.entries({ ...changes, n: 'n' }).map(([name, sql]) => `'${name}', ${sql}`);
  const copy = statement(
    '',
    `insert into ${table} select copy.*
     from ${table} r, generate_series(1, $2::int) n,
       jsonb_populate_record(r, jsonb_build_object(${pairs.join(', ')})) copy
     where r.id = (select max(id) from ${table} where user_id = $1)`,
  );
  await ctx.db.query(copy, [identity.userId, copies]);
}

const count = async ({ ctx, identity }: Arrangement, { table }: Kind): Promise<number> => {
  const rows = statement<{ count: number }>(
    '',
    `select count(*)::int as count from ${table} where user_id = $1`,
  );
  return (await ctx.db.query(rows, [identity.userId]))[0]?.count ?? 0;
};

it.each(KINDS)('at most $most of $table, and a race does not exceed it', async (kind) => {
  const about = await arrange(database.db);
  await kind.create(about);
  const before = await count(about, kind);
  await fill(about, kind, kind.most - before - 2);
  const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => kind.create(about)));
  const refused = attempts.filter((attempt) => attempt.status === 'rejected');
  expect(refused).toHaveLength(4);
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      kind: 'invalid',
      fields: { [kind.field]: [expect.stringMatching(/^An account has at most \d+ [\w ]+\. Delete one/)] },
    });
  expect(await count(about, kind)).toBe(kind.most);
});

it('tokens that are revoked do not count, and a list shows the newest', async () => {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const kind = KINDS[0] ?? expect.unreachable();
  await kind.create(about);
  await fill(about, kind, kind.most - 1);
  await expect(kind.create(about)).rejects.toMatchObject({ kind: 'invalid' });
  const revokeAll = statement('', 'update api_tokens set revoked_at = $2 where user_id = $1');
  await ctx.db.query(revokeAll, [identity.userId, new Date()]);
  await fill(about, kind, 5000);
  await ctx.db.query(revokeAll, [identity.userId, new Date()]);
  const made = await issueToken(ctx, identity, { name: 'Newest' });
  const listed = await listTokens(ctx, identity);
  expect([listed.length, listed.at(-1)?.id]).toEqual([5000, made.id]);
});
