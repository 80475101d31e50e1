import { expect, test } from 'vitest';
import { useServer } from '../../test/installation.ts';
import { openTerminal } from '../../test/terminal.ts';

const server = useServer();

test('the dry run shows each kind of data with its period, and changes nothing', async () => {
  const environment = { ...server.serverEnvironment, TRANSCRIPT_DAYS: '90', RECORDING_DAYS: '1' };
  const terminal = openTerminal(environment);
  expect((await terminal.run('retention')).out).toMatchInlineSnapshot(`
    "DATA                                         KEPT FOR  TO BE REMOVED
    recordings                                   1 day     0
    transcripts                                  90 days   0
    numbers of calls                             no limit  0
    webhook deliveries                           30 days   0
    SIP traces of calls                          7 days    0
    entries of the audit log                     no limit  0
    entries of the API log                       14 days   0
    records of consent                           no limit  0
    answers to requests with an Idempotency-Key  1 day     0
    "
  `);
  const { out } = await openTerminal(environment).run('retention', '--json');
  expect(JSON.parse(out)).toMatchObject({ recordings: { days: 1, expired: 0 }, deliveries: { days: 30 } });
  const wrong = await openTerminal({ ...environment, TRANSCRIPT_DAYS: 'ninety' }).run('retention');
  expect(wrong).toMatchObject({ exitCode: 78, out: '', err: expect.stringContaining('TRANSCRIPT_DAYS') });
});
