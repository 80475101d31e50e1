import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_SOUND_BYTES } from '@parley/contracts';
import { newAssistant } from '@parley/testkit';
import { beforeAll, expect, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';

const installation = useInstallation();

beforeAll(async () => {
  await writeFile(
    join(installation.dataDir, 'assistant.json'),
    JSON.stringify(newAssistant({ assistant_name: 'From a file' })),
  );
  await writeFile(
    join(installation.dataDir, 'tool.json'),
    JSON.stringify({
      name: 'book',
      description: 'Books a table.',
      endpoint: 'https://booking.example/',
      method: 'POST',
    }),
  );
  await writeFile(join(installation.dataDir, 'list.json'), '[]');
  await writeFile(join(installation.dataDir, 'hello.wav'), 'no sound; a worker would say so');
  await writeFile(join(installation.dataDir, 'large.wav'), new Uint8Array(MAX_SOUND_BYTES + 1));
});

/** Ids of created records, by the placeholders used in later lines. */
const made = new Map<string, string>();

function withIds(text: string): string {
  return text.replace(/<(\w+)>/g, (_, name: string) => made.get(name) ?? `no ${name}`);
}

interface Step {
  line: string;
  /** Stores `data.id` of the JSON output under this name; adds `--json`. */
  keep?: string;
  /** The expected output without `--json`. */
  says?: RegExp;
  exitCode?: number;
  err?: RegExp;
}

/** A sequence of commands; each depends on the previous ones. */
const steps: Step[] = [
  { line: 'user list', says: /^ID +NAME +EMAIL .*\n1 .*ada@parley\.example +operator +UTC$/ },
  { line: 'token list', says: /^ID +NAME +BEGINS WITH .*\n1 .*parley_.* +all .* no$/ },

  { line: 'trunks list', says: /127\.0\.0\.1:5070\/udp +50 +fictional +healthy +yes$/ },
  {
    line: 'trunks add Hosts sip.example --other-host sip2.example --other-host 203.0.114.9:5070 --priority 10 --username extension --auth-username auth-id --json',
    says: /"port":null,"other_hosts":\["sip2\.example","203\.0\.114\.9:5070"\],"priority":10,.*"auth_username":"auth-id"/,
  },
  { line: 'trunks add Carrier sip.example --port 5080 --transport tcp', keep: 'trunk' },
  {
    line: 'trunks add Pai sip.example --inbound-caller p_asserted_identity --inbound-called diversion --outbound-caller p_preferred_identity --incoming-refer numbers --from-user account-7',
    keep: 'pai',
  },
  {
    line: 'trunks list --json',
    says: /"inbound_caller_source":"p_asserted_identity","inbound_called_source":"diversion","outbound_caller_header":"p_preferred_identity","incoming_refer":"numbers","from_user":"account-7"/,
  },
  { line: 'trunks remove <pai> --yes', says: /was removed/ },
  {
    line: 'trunks add Bad sip.example --from-user "<sip:evil>"',
    exitCode: 1,
    err: /from user format is invalid/,
  },
  { line: 'trunks list', says: /Carrier +sip\.example:5080\/tcp +50 +any +healthy +no$/ },
  {
    line: 'trunks add Carrier no_host',
    exitCode: 1,
    err: /^The given data was invalid\.\n {2}host: The host/,
  },

  { line: 'numbers add +12025550177 --trunk <trunk>', keep: 'number' },
  { line: 'numbers list', says: /\+12025550177 +SIP +\d+$/ },
  {
    line: 'numbers remove <number>',
    exitCode: 2,
    err: /Confirmation is required, but the terminal is not interactive\.\nAdd --yes to confirm\.\n$/,
  },
  { line: 'numbers remove <number> --yes', says: /^Number \d+ was removed\.$/ },
  { line: 'trunks remove <trunk> --yes', says: /^Trunk \d+ was removed\.$/ },
  { line: 'trunks remove <trunk> --yes', exitCode: 1, err: /^SIP trunk not found\n$/ },

  {
    line: 'assistants choices',
    says: /^Voices \(voice_id\)\n {2}1 {2}.*\n(.*\n)*Languages .*\n(.*\n)*.*\+1202555/,
  },
  { line: 'assistants create --file {dir}/assistant.json --set max_call_duration=120', keep: 'assistant' },
  { line: 'assistants show <assistant>', says: /^name +From a file$(.*\n)*max_duration +120$/m },
  {
    line: 'assistants update <assistant> --set assistant_name=Renamed',
    says: /^Assistant \d+ was changed\.$/,
  },
  { line: 'assistants versions <assistant>', says: /^2 .*name$(.*\n)*^1 /m },
  { line: 'assistants restore <assistant> 1 --yes', says: /was changed\.$/ },
  { line: 'assistants versions <assistant>', says: /^3 .*name$/m },
  { line: 'assistants restore <assistant> 9 --yes', exitCode: 1, err: /^Version not found\n$/ },
  { line: 'assistants restore <assistant> 2 --yes', says: /was changed\.$/ },
  {
    line: 'assistants phrases <assistant>',
    says: /^No recorded phrases found\.\nSentences without a recording:\n(.*\n)* {2}One moment, please\.$/m,
  },
  { line: 'assistants add-phrase <assistant> Hello. {dir}/hello.wav', keep: 'phrase' },
  { line: 'assistants phrases <assistant>', says: /^ID .*\n\d+ +processing +0 +Hello\.\n/ },
  {
    line: 'assistants add-phrase <assistant> {{name}} {dir}/hello.wav',
    exitCode: 1,
    err: /text: The text field must not contain variables\.$/m,
  },
  {
    line: 'assistants add-phrase <assistant> Hello. {dir}/large.wav',
    exitCode: 2,
    err: /large\.wav is larger than 10 MiB\.$/m,
  },
  {
    line: 'assistants add-phrase <assistant> Hello. {dir}/none.wav',
    exitCode: 2,
    err: /none\.wav cannot be read\.$/m,
  },
  {
    line: 'assistants delete-phrase <assistant> <phrase> --yes',
    says: /^Recorded phrase \d+ was deleted\.$/,
  },
  {
    line: 'assistants delete-phrase <assistant> <phrase> --yes',
    exitCode: 1,
    err: /^Recorded phrase not found\n$/,
  },
  { line: 'assistants list', says: /Renamed +outbound +active +English/ },
  {
    line: 'assistants create --set voice_id=1',
    exitCode: 1,
    err: /^Validation failed\n {2}assistant_name: /,
  },
  { line: 'assistants create', exitCode: 2, err: /Use --file or --set/ },
  { line: 'assistants create --file {dir}/list.json', exitCode: 2, err: /does not contain a JSON object/ },
  { line: 'assistants create --file {dir}/none.json', exitCode: 2, err: /cannot be read as JSON\.\nENOENT/ },

  { line: 'tools list', says: /^No tools found\.$/ },
  { line: 'tools create --file {dir}/tool.json --set timeout=20', keep: 'tool' },
  { line: 'tools list', says: /^ID .*\n\d+ +book +POST https:\/\/booking\.example\/ +Books a table\.$/ },
  { line: 'tools show <tool>', says: /^timeout +20$/m },
  { line: 'assistants update <assistant> --set tool_ids=[<tool>]', says: /was changed\.$/ },
  {
    line: 'tools delete <tool> --yes',
    exitCode: 1,
    err: /^This tool is used by the assistant "Renamed"\. /,
  },
  { line: 'assistants update <assistant> --set tool_ids=[]', says: /was changed\.$/ },
  { line: 'tools delete <tool> --yes', says: /^Tool \d+ was deleted\.$/ },
  { line: 'tools show <tool>', exitCode: 1, err: /^Tool not found\n$/ },

  { line: 'knowledgebases list', says: /^No knowledge bases found\.$/ },
  { line: 'knowledgebases create --set name=Shop', keep: 'base' },
  { line: 'knowledgebases documents <base>', says: /^No documents found\.$/ },
  {
    line: 'knowledgebases add-document <base> --set name=Hours --set type=txt --set content=Nine',
    keep: 'document',
  },
  { line: 'knowledgebases list', says: /^ID .*\n\d+ +Shop +\w+ +1 +off +0$/ },
  { line: 'knowledgebases update <base> --set name=Store', says: /^name +Store$/m },
  {
    line: 'knowledgebases update <base> --set embedding_model_id=1',
    exitCode: 1,
    err: /embedding_model_id: /,
  },
  { line: 'knowledgebases documents <base>', says: /^ID .*\n\d+ +Hours +txt +\w+/ },
  { line: 'knowledgebases show-document <base> <document>', says: /^type +txt$/m },
  {
    line: 'knowledgebases delete-document <base> <document> --yes',
    says: /^Document \d+ was deleted\.$/,
  },
  { line: 'knowledgebases delete <base> --yes', says: /^Knowledge base \d+ was deleted\.$/ },

  { line: 'campaigns create --name Autumn', exitCode: 1, err: /^Validation failed\n {2}assistant_id: / },
  { line: 'webhook-endpoints list', says: /^No webhook endpoints found\.$/ },
  {
    line: 'webhook-endpoints create --set url=http://127.0.0.1:9/ --set events=["call.ended"]',
    keep: 'endpoint',
  },
  { line: 'webhook-endpoints update <endpoint> --set is_enabled=false', says: /was changed\.$/ },
  {
    line: 'webhook-endpoints list',
    says: /^ID .*\n\d+ +http:\/\/127\.0\.0\.1:9\/ +false +call\.ended$/,
  },
  { line: 'webhook-endpoints show <endpoint>', says: /^is_enabled +false$/m },
  { line: 'webhook-endpoints test <endpoint>', exitCode: 1, err: /^The address does not answer\. / },
  { line: 'webhook-endpoints delete <endpoint> --yes', says: /^Webhook endpoint \d+ was deleted\.$/ },
  {
    line: 'campaigns create --name 2026 --assistant <assistant> --set allowed_days=["monday"]',
    keep: 'campaign',
  },
  { line: 'campaigns update <campaign> --set max_calls_in_parallel=7', says: /^Campaign \d+ was changed\.$/ },
  { line: 'campaigns list', says: /2026 +draft +7 / },

  { line: 'leads add +12025550178 --campaign <campaign> --variable name=Bo', keep: 'lead' },
  { line: 'leads add 12 --campaign <campaign>', exitCode: 1, err: /^Validation failed\n {2}phone_number: / },
  {
    line: 'leads list --campaign <campaign>',
    says: /\+12025550178 +created +2026 +{"name":"Bo"}\n1 in total\.$/,
  },
  {
    line: 'leads why <lead>',
    says: /^This lead is waiting: The campaign has not been started\.\n\nThis lead has not been called yet\.$/,
  },
  {
    line: 'campaigns forecast <campaign> --answer-rate 1 --duration 60',
    says: /^campaign_id +\d+\n[^]*calls +1\n[^]*FROM +CALLS +ANSWERED\n/,
  },
  {
    line: 'campaigns forecast <campaign> --answer-rate 2 --duration 60',
    exitCode: 2,
    err: /It must be a number from 0 to 1\./,
  },
  { line: 'leads list --status completed', says: /^No leads found\.\n0 in total\.$/ },

  { line: 'campaigns start <campaign>', says: /^Campaign \d+ is in-progress\.$/ },
  { line: 'campaigns stop <campaign> --hang-up', says: /^Campaign \d+ is stopped\.$/ },
  { line: 'campaigns show <campaign>', says: /^allowed_days +\["monday"\](.*\n)*Progress\nleads +1$/m },
  { line: 'leads delete <lead> --yes', says: /^Lead \d+ was deleted\.$/ },
  { line: 'campaigns delete <campaign> --yes', says: /^Campaign \d+ was deleted\.$/ },
  { line: 'assistants delete <assistant> --yes', says: /^Assistant \d+ was deleted\.$/ },
  { line: 'assistants show <assistant>', exitCode: 1, err: /^Assistant not found\n$/ },

  {
    line: 'do-not-call add +12025550179 --reason Asked',
    says: /^\+12025550179 is on the do-not-call list\.$/,
  },
  { line: 'do-not-call list', says: /\+12025550179 .* Asked\n1 in total\.$/ },
  { line: 'call +12025550179 --assistant 1', exitCode: 1, err: /do-not-call/ },
  { line: 'do-not-call remove +12025550179 --yes', says: /^\+12025550179 can be called again\.$/ },
  { line: 'do-not-call list', says: /^No numbers found\.\n0 in total\.$/ },
  {
    line: 'consents add +12025550178 --source Form --text Yes --at 2026-01-30T16:20:00Z',
    says: /^Consent for \+12025550178 is on record\.$/,
  },
  {
    line: 'consents list --phone-number 0178',
    says: /\+12025550178 +2026-01-30T16:20:00\.000000Z +Form +Yes\n1 in total\.$/,
  },
  {
    line: 'consents remove +12025550178 --yes',
    says: /^The record of consent for \+12025550178 was removed\.$/,
  },
  { line: 'consents list', says: /^No records of consent found\.\n0 in total\.$/ },
];

test.each(steps)('$line', async ({ line, keep, says, exitCode = 0, err = /^$/ }) => {
  const args = withIds(line).replace('{dir}', installation.dataDir).split(' ');
  const ran = await installation.openTerminal().run(...args, ...(keep ? ['--json'] : []));
  expect(ran.err).toMatch(err);
  expect(ran.exitCode).toBe(exitCode);
  if (keep) made.set(keep, String((JSON.parse(ran.out) as { data: { id: number } }).data.id));
  expect(ran.out.trimEnd()).toMatch(says ?? (keep ? /^{/ : /^$/));
});

test.each([
  'user',
  'token',
  'trunks',
  'numbers',
  'assistants',
  'tools',
  'webhook-endpoints',
  'knowledgebases',
  'campaigns',
  'leads',
  'do-not-call',
  'consents',
  'calls',
])('%s list prints one line of JSON', async (resource) => {
  const ran = await installation.openTerminal().run(resource, 'list', '--json');
  expect(ran).toMatchObject({ exitCode: 0, err: '' });
  expect(ran.out.match(/\n/g)).toHaveLength(1);
  const list = JSON.parse(ran.out) as unknown[] | { data: unknown[] };
  expect('data' in list ? list.data : list).toBeInstanceOf(Array);
});

test('a lost token is revoked on the server without another token', async () => {
  const server = installation.openServerTerminal();
  const created = await server.run('token', 'create', 'ada@parley.example', '--name', 'Lost', '--json');
  const { id, token } = JSON.parse(created.out) as { id: number; token: string };
  const mine = ['--email', 'ada@parley.example'];
  expect((await server.run('token', 'list', ...mine)).out).toMatch(/Lost .* no$/m);
  expect((await server.run('token', 'revoke', String(id), ...mine, '--yes')).exitCode).toBe(0);
  const refused = await installation.openTerminal().run('user', 'list', '--token', token);
  expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('revoked') as string });
});

test('commands that write on the server leave entries in the audit log', async () => {
  const server = installation.openServerTerminal();
  await server.run('token', 'create', 'ada@parley.example', '--name', 'Audited');
  await server.run('webhook-secret', 'ada@parley.example');
  await server.run('sign-in-link', 'ada@parley.example');
  const list = await fetch(`${installation.url}/api/user/audit-log?per_page=100`, {
    headers: { authorization: `Bearer ${installation.token}` },
  });
  const { data } = (await list.json()) as { data: { channel: string; operation: string }[] };
  const operations = data.flatMap(({ channel, operation }) => (channel === 'cli' ? [operation] : []));
  expect(new Set(operations)).toEqual(
    new Set(['tokens.create', 'tokens.revoke', 'webhookSecrets.reveal', 'users.inviteAgain']),
  );
});

test('a token is revoked over the API by its own user', async () => {
  const server = installation.openServerTerminal();
  const created = await server.run('token', 'create', 'ada@parley.example', '--json');
  const { id } = JSON.parse(created.out) as { id: number };
  const ran = await installation.openTerminal('yes').run('token', 'revoke', String(id), '--json');
  expect(ran).toMatchObject({ exitCode: 0, out: `{"id":${id},"is_revoked":true}\n` });
  expect((await installation.openTerminal().run('token', 'list')).out).toMatch(
    new RegExp(`^${id} .*\\d{4}-\\d\\d-\\d\\dT\\S+Z$`, 'm'),
  );
});
