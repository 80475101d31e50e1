/** `listen`: shows webhooks as they arrive, on this machine, with their signatures checked. */
import { once } from 'node:events';
import {
  findUserByEmail,
  listUsers,
  revealEndpointSecrets,
  revealWebhookSecret,
  type CoreContext,
} from '@parley/core';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError } from '../command-error.ts';
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
  const { email, secret } = options;
  if (secret !== undefined) return receive(console, options, async () => [secret]);
  // Without an installation on this machine and without `--secret`, signatures are not verified.
  const { databaseUrl, secretKey } = findInstallation(console.environment);
  if (email === undefined && (databaseUrl === null || secretKey === null))
    return receive(console, options, async () => []);
  await withServer(console, (core) => receive(console, options, () => findSecrets(core, email)));
}

async function receive(
  console: Console,
  { port, json }: ListenOptions,
  secrets: () => Promise<string[]>,
): Promise<void> {
  const isChecking = (await secrets()).length > 0;
  const receiver = await startWebhookReceiver({
    port,
    secrets,
    onDelivery: (delivery) => console.write(`${json ? JSON.stringify(delivery) : describe(delivery)}\n`),
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(texts.listen.refusedPort(port, cause.code), {
      hint: texts.listen.otherPort,
      cause,
    });
  });
  console.remark(texts.listen.started(receiver.url));
  if (!isChecking) console.remark(texts.listen.noSecret);
  if (!console.signal.aborted) await once(console.signal, 'abort');
  await receiver.stop();
}

/** Those of the users and of their webhook endpoints. */
async function findSecrets(core: CoreContext, email: string | undefined): Promise<string[]> {
  const users = email === undefined ? await listUsers(core) : [await findUserByEmail(core, email)];
  const secrets = users.map(async ({ id }) => [
    await revealWebhookSecret(core, id),
    ...(await revealEndpointSecrets(core, id)),
  ]);
  return (await Promise.all(secrets)).flat();
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
    ...aboutCall(value),
    ...value('transcript')
      .split('\n')
      .filter(Boolean)
      .map((line) => `  | ${line}`),
    ...(payload['recording_url'] ? [`  recording ${value('recording_url')}`] : []),
    ...(delivery.isAsDocumented ? [] : [`  ${texts.listen.undocumented}`]),
  ];
  return [head, ...lines].join('\n');
}

/** Nothing for events of something else, such as a trunk. */
function aboutCall(value: (name: string) => string): string[] {
  const call = value('id') || value('call_id');
  if (call === '') return [];
  const end = value('duration') === '' ? '' : `: ${value('status')} after ${value('duration')} s`;
  const numbers = value('customer_phone') || value('assistant_phone');
  const between = `  customer ${value('customer_phone')}, assistant ${value('assistant_phone')}`;
  return [`  call ${call}${end}`, ...(numbers === '' ? [] : [between])];
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError(texts.listen.badPort);
}
