import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newAssistant } from '@parley/testkit';
import { beforeAll, expect, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';
import { openTerminal } from '../../test/terminal.ts';

const installation = useInstallation();
let campaign: string;

async function write(name: string, text: string): Promise<string> {
  const path = join(installation.dataDir, name);
  await writeFile(path, text);
  return path;
}

beforeAll(async () => {
  const assistant = await write('anna.json', JSON.stringify(newAssistant()));
  const terminal = installation.openTerminal();
  const made = await terminal.run('assistants', 'create', '--file', assistant, '--json');
  const { id } = (JSON.parse(made.out) as { data: { id: number } }).data;
  const sets = ['--set', 'name=Spring', '--set', `assistant_id=${id}`];
  const created = await terminal.run('campaigns', 'create', ...sets, '--json');
  campaign = String((JSON.parse(created.out) as { data: { id: number } }).data.id);
});

test('a file is imported under a bar, and the same again changes nothing', async () => {
  const file = await write(
    'mai.csv',
    'Vorname;Telefon;Intern\nAda;+12025550101;x\nBo;12;y\nCy;+12025550101;\n',
  );
  const report = join(installation.dataDir, 'report.csv');
  const mapping = ['--map', 'phone=Telefon', '--map', 'name=Vorname', '--drop', 'Intern'];
  const line = ['leads', 'import', file, '--campaign', campaign, ...mapping];
  const first = await installation.openTerminal('y').run(...line, '--report', report);
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.out).toMatch(
    /^Import \d+: 1 of 3 rows were imported as leads\.\nRows not imported:\n(?: {2}1 .*\n){2}Run "parley imports report/,
  );
  expect(first.err).toMatch(/\r\[#{30}\] 100 % {2}0\.0 of 0\.0 MB\n$/);
  expect(await readFile(report, 'utf8')).toContain('3,Telefon,phone_number_invalid');
  const again = await installation.openTerminal().run(...line, '--json');
  expect(JSON.parse(again.out)).toMatchObject({ data: { rows_read: 3, rows_imported: 1 } });
  expect(again.err).toBe('');
  const leads = await installation.openTerminal().run('leads', 'list', '--campaign', campaign);
  expect(leads.out).toContain('{"name":"Ada"}');
});

test('an import is listed, reported and undone, once that is agreed to', async () => {
  const file = await write('june.csv', 'phone\n+12025550111\n+12025550112\nx\n');
  const imported = await installation
    .openTerminal()
    .run('leads', 'import', file, '--campaign', campaign, '--json');
  const id = String((JSON.parse(imported.out) as { data: { id: number } }).data.id);
  const terminal = installation.openTerminal();
  expect((await terminal.run('imports', 'list', '--campaign', campaign)).out).toMatch(
    new RegExp(`^ID +FILE .*\n${id} +june\\.csv +finished +3 +2 +0 +1 `),
  );
  expect((await terminal.run('imports', 'report', id)).out).toContain('4,phone,phone_number_invalid');
  expect(await terminal.run('imports', 'undo', id)).toMatchObject({ exitCode: 2 });
  expect(await terminal.run('imports', 'undo', id, '--yes')).toMatchObject({
    exitCode: 0,
    out: `2 leads of import ${id} were removed.\n`,
  });
});

test('relative paths belong to the folder in which npm was started, not to the one of the repository', async () => {
  await write('july.csv', 'phone\n+12025550121\nx\n');
  const environment = { PARLEY_URL: installation.url, PARLEY_TOKEN: installation.token };
  const terminal = openTerminal({ ...environment, INIT_CWD: installation.dataDir });
  const line = ['leads', 'import', 'july.csv', '--campaign', campaign, '--report', 'july-report.csv'];
  expect(await terminal.run(...line)).toMatchObject({ exitCode: 0 });
  const report = await readFile(join(installation.dataDir, 'july-report.csv'), 'utf8');
  expect(report).toContain('3,phone,phone_number_invalid');
});

test('a missing file, or a file without phone numbers, is reported', async () => {
  const terminal = installation.openTerminal();
  const missing = await terminal.run('leads', 'import', '/nowhere/x.csv', '--campaign', campaign);
  expect(missing).toMatchObject({ exitCode: 2, err: '/nowhere/x.csv cannot be read.\n' });
  const file = await write('names.csv', 'name\nAda\n');
  const refused = await terminal.run('leads', 'import', file, '--campaign', campaign);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.err).toContain('No column holds the phone number. The file has: name');
});
