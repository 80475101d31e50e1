import { newCampaignBody, newLeadBody, newTrunkBody } from '@parley/contracts';
import {
  bootstrapFirstUser,
  createCampaign,
  createCoreContext,
  createLead,
  addTrunk,
  diskStorage,
  findUserByEmail,
  type Identity,
} from '@parley/core';
import { statement } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { openTerminal } from '../../test/terminal.ts';

const SECRET_KEY = 'a key of at least thirty-two characters';
const EMAIL = 'ada@parley.example';
const database = useTestDatabase();

const firstOutbound = statement<{ id: number }>(
  '',
  `select id from assistants where type = 'outbound' order by id limit 1`,
);
const forgetLead = statement('', 'delete from dial_queue where lead_id = $1');

/** An installation with a lead that is to be called, and a terminal on its server. */
async function setup() {
  const core = createCoreContext({
    db: database.db,
    log: silentLog,
    clock: systemClock,
    secretKey: SECRET_KEY,
    recordings: diskStorage('/nonexistent'),
  });
  await bootstrapFirstUser(core, { email: EMAIL });
  const user = await findUserByEmail(core, EMAIL);
  const [assistant] = await core.db.query(firstOutbound);
  const identity: Identity = {
    userId: user.id,
    role: 'operator',
    scopes: 'all',
    tokenId: null,
    timezone: 'UTC',
  };
  const campaign = newCampaignBody.parse({ name: 'Spring', assistant_id: assistant?.id });
  const { id: campaignId } = await createCampaign(core, identity, campaign);
  const lead = newLeadBody.parse({ campaign_id: campaignId, phone_number: '+12025550123' });
  const { id: leadId } = await createLead(core, identity, lead);
  const environment = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: '/nonexistent' };
  return { core, identity, campaignId, leadId, terminal: openTerminal(environment) };
}

test('doctor finds a lead that nothing would call, and queues it again', async () => {
  const { core, campaignId, leadId, terminal } = await setup();
  expect(await terminal.run('doctor')).toMatchObject({ exitCode: 0, out: 'No faults found.\n' });
  await core.db.query(forgetLead, [leadId]);
  const fault = { lead_id: leadId, campaign_id: campaignId, fault: 'left_behind' };
  const found = await terminal.run('doctor', '--json');
  expect(found).toMatchObject({ exitCode: 1, out: `${JSON.stringify([fault])}\n` });
  expect(found.err).toContain('1 lead has a fault.');
  const repaired = await terminal.run('doctor', '--repair');
  expect(repaired).toMatchObject({ exitCode: 0, err: '1 lead was repaired.\n' });
  expect(await terminal.run('doctor')).toMatchObject({ exitCode: 0 });
});

test('doctor finds a trunk that is not registered, which it cannot repair', async () => {
  const { core, identity, terminal } = await setup();
  const account = { username: '1001', password: 'secret', registers: true };
  const trunk = newTrunkBody.parse({ name: 'Office', host: 'pbx.example', ...account });
  const { id } = await addTrunk(core, identity, trunk);
  const found = await terminal.run('doctor', '--json');
  const about = { fault: 'not_registered', state: 'registering', sip_status: null, reason: null };
  expect(JSON.parse(found.out)).toEqual([{ trunk_id: id, ...about }]);
  expect(found).toMatchObject({ exitCode: 1 });
  expect(found.err).toContain('1 trunk is not registered.');
  const repaired = await terminal.run('doctor', '--repair');
  expect(repaired).toMatchObject({ exitCode: 1 });
  expect(repaired.out).toMatch(new RegExp(`${id} +Office +No voice process registers it\\.`));
});
