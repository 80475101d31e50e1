import { recordCallEvent } from '@parley/core';
import { systemClock } from '@parley/runtime';
import { expect, test } from 'vitest';
import { useInstallation } from '../../test/installation.ts';

const installation = useInstallation();
let calls = 0;

/** A call without an answer, whose webhook stays pending because no worker runs here. */
async function setup() {
  const terminal = installation.openTerminal();
  const set = [
    'send_webhook_only_on_completed=false',
    'is_webhook_active=true',
    'webhook_url=http://a.test/',
  ];
  await terminal.run('assistants', 'update', '1', ...set.flatMap((field) => ['--set', field]));
  calls += 1;
  const number = `+1${200 + calls}5550142`;
  const placed = await terminal.run('call', number, '--assistant', '1', '--json');
  const { call_id: callId } = JSON.parse(placed.out) as { call_id: number };
  await recordCallEvent(installation.core, { callId, event: 'busy', at: new Date(systemClock.now()) });
  const list = await terminal.run('webhooks', 'list', '--call', String(callId), '--json');
  const { data } = JSON.parse(list.out) as { data: { id: string }[] };
  return { terminal, callId, id: data[0]?.id ?? '' };
}

test('webhooks are listed, shown and sent again', async () => {
  const { terminal, callId, id } = await setup();
  const list = await terminal.run('webhooks', 'list', '--status', 'pending');
  expect(list.out).toMatch(new RegExp(`${id} .* call\\.finished +${callId} +pending +0 +none`));
  const show = await terminal.run('webhooks', 'show', id);
  expect(show.out).toContain(`call.finished of call ${callId}`);
  expect(show.out).toContain('"status":"busy"');
  expect(await terminal.run('webhooks', 'resend', id)).toMatchObject({
    exitCode: 0,
    out: `Webhook ${id} is being sent again.\n`,
  });
  expect(
    await terminal.run('webhooks', 'resend', '--from', '2020-01-01', '--to', '2099-01-01'),
  ).toMatchObject({ exitCode: 0, out: 'Webhooks being sent again: 0.\n' });
});

test('resend requires an id or a period', async () => {
  const { terminal, id } = await setup();
  for (const args of [[], [id, '--from', '2020-01-01'], ['--from', '2020-01-01']]) {
    expect(await terminal.run('webhooks', 'resend', ...args)).toMatchObject({ exitCode: 2 });
  }
});

test('a new secret is printed and then returned by webhook-secret', async () => {
  const { terminal } = await setup();
  const rotated = await terminal.run('webhooks', 'rotate-secret', '--yes', '--keep-old-for', '1');
  expect(rotated.out).toMatch(/^whsec_\S{32}\n$/);
  expect(await terminal.run('webhooks', 'rotate-secret')).toMatchObject({ exitCode: 2 });
});
