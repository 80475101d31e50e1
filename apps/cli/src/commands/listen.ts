/** `listen`: shows webhooks as they arrive, on this machine, with their signatures checked. */
import { once } from 'node:events';
import { findUserByEmail, listUsers, revealWebhookSecret } from '@parley/core';
import { InvalidArgumentError, type Command } from 'commander';
import type { Console } from '../console.ts';
import { withServer } from '../server-access.ts';
import { findInstallation } from '../settings.ts';
import { startWebhookReceiver, type ReceivedDelivery } from '../webhook-receiver.ts';
import { texts } from './texts.ts';

interface ListenOptions {
  port: number;
  secret?: string;
  email?: string;
  json?: boolean;
}

const DEFAULT_PORT = 4000;

/** @param program - gets the command */
export function addListenCommand(program: Command, console: Console): void {
  program
    .command('listen')
    .description(texts.listen.about)
    .option('--port <number>', texts.listen.port, portNumber, DEFAULT_PORT)
    .option('--secret <whsec>', texts.listen.secret)
    .option('--email <email>', texts.listen.email)
    .option('--json', texts.listen.json)
    .action((options: ListenOptions) => listen(console, options));
}

async function listen(console: Console, options: ListenOptions): Promise<void> {
  const secrets = await findSecrets(console, options);
  const receiver = await startWebhookReceiver({
    port: options.port,
    secrets,
    onDelivery: (delivery) =>
      console.write(`${options.json ? JSON.stringify(delivery) : describe(delivery)}\n`),
  });
  console.remark(texts.listen.started(receiver.url));
  if (secrets.length === 0) console.remark(texts.listen.noSecret);
  if (!console.signal.aborted) await once(console.signal, 'abort');
  await receiver.stop();
}

/** Without an installation on this machine and without `--secret`, signatures are not verified. */
async function findSecrets(console: Console, options: ListenOptions): Promise<string[]> {
  if (options.secret !== undefined) return [options.secret];
  const { databaseUrl, secretKey } = findInstallation(console.environment);
  const { email } = options;
  if (email === undefined && (databaseUrl === null || secretKey === null)) return [];
  return withServer(console, async (core) => {
    const users = email === undefined ? await listUsers(core) : [await findUserByEmail(core, email)];
    return Promise.all(users.map((user) => revealWebhookSecret(core, user.id)));
  });
}

const SIGNATURES = {
  genuine: texts.listen.signature.genuine,
  wrong: texts.listen.signature.wrong,
  unknown: texts.listen.signature.unknown,
};

function describe(delivery: ReceivedDelivery): string {
  const { payload } = delivery;
  const value = (name: string): string => scalarText(payload?.[name]);
  const head = `${delivery.event}  ${SIGNATURES[delivery.signature]}  ${delivery.id}`;
  if (!payload) return texts.listen.notJson(head);
  const lines = [
    `  call ${value('id') || value('call_id')}: ${value('status')} after ${value('duration') || '0'} s`,
    `  customer ${value('customer_phone')}, assistant ${value('assistant_phone')}`,
    ...value('transcript')
      .split('\n')
      .filter(Boolean)
      .map((line) => `  | ${line}`),
    ...(payload['recording_url'] ? [`  recording ${value('recording_url')}`] : []),
    ...(delivery.isAsDocumented ? [] : [`  ${texts.listen.undocumented}`]),
  ];
  return [head, ...lines].join('\n');
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError(texts.listen.badPort);
}
