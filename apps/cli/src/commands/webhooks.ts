/** `webhooks`: deliveries, resending, and the secret. Over the REST API, from any machine. */
import type { DeliveryDetail, DeliveryRecord } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { CommandError, EXIT } from '../command-error.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { texts } from './texts.ts';

/** @param program - gets the commands */
export function addWebhooksCommands(program: Command, console: Console): void {
  const webhooks = program.command('webhooks').description(texts.webhooks.about);
  withApiOptions(webhooks.command('list'))
    .description(texts.webhooks.list)
    .addOption(
      new Option('--status <status>', texts.common.status).choices([
        'pending',
        'delivered',
        'failed',
        'disabled',
      ]),
    )
    .option('--call <id>', texts.webhooks.call, integer)
    .option('--from <day>', texts.webhooks.from)
    .option('--to <day>', texts.webhooks.to)
    .option('--page <number>', texts.common.page, integer, 1)
    .option('--per-page <number>', texts.common.perPage, integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(webhooks.command('show'))
    .description(texts.webhooks.show)
    .argument('<id>', texts.common.webhookId)
    .action((id: string, options: ApiOptions) => show(console, id, options));
  withApiOptions(webhooks.command('resend'))
    .description(texts.webhooks.resend)
    .argument('[id]', texts.common.webhookId)
    .option('--from <day>', texts.webhooks.resendFrom)
    .option('--to <day>', texts.webhooks.resendTo)
    .action((id: string | undefined, options: ResendOptions) => resend(console, id, options));
  withApiOptions(withConfirmation(webhooks.command('rotate-secret')))
    .description(texts.webhooks.rotate)
    .option('--keep-old-for <hours>', texts.webhooks.keepOld, integer, 24)
    .action((options: RotateOptions) => rotate(console, options));
}

interface ListOptions extends ApiOptions {
  status?: DeliveryRecord['status'];
  call?: number;
  from?: string;
  to?: string;
  page: number;
  perPage: number;
}

async function list(console: Console, options: ListOptions): Promise<void> {
  const { status, call, from, to, page: number, perPage } = options;
  const { body: page } = await openApi(console, options).webhookDeliveries.list({
    query: { status, call_id: call, date_from: from, date_to: to, page: number, per_page: perPage },
  });
  const columns = {
    ID: (delivery: DeliveryRecord) => delivery.id,
    WHEN: (delivery: DeliveryRecord) => delivery.created_at,
    EVENT: (delivery: DeliveryRecord) => delivery.event,
    CALL: (delivery: DeliveryRecord) => delivery.call_id ?? texts.webhooks.noCall,
    STATUS: (delivery: DeliveryRecord) => delivery.status,
    TRIES: (delivery: DeliveryRecord) => delivery.attempt_count,
    ANSWER: (delivery: DeliveryRecord) => delivery.last_status ?? texts.webhooks.noResponseYet,
  };
  // The query has no cursor, so that there is a total, which the types do not express.
  const total = 'total' in page ? page.total : page.data.length;
  const text = texts.common.total(listing(page.data, columns, texts.webhooks.none), total);
  print(console, { json: page, text }, options.json);
}

async function show(console: Console, id: string, options: ApiOptions): Promise<void> {
  const { body: delivery } = await openApi(console, options).webhookDeliveries.get({ params: { id } });
  print(console, { json: delivery, text: describe(delivery) }, options.json);
}

function describe(delivery: DeliveryDetail): string {
  const { id, event, call_id: call, url, status, reason, next_attempt_at: next } = delivery;
  const facts = [
    [texts.webhooks.fields.webhook, id],
    [texts.webhooks.fields.event, texts.webhooks.event(event, call)],
    [texts.webhooks.fields.address, url],
    [texts.webhooks.fields.status, reason === null ? status : `${status} (${reason})`],
    ...(next === null ? [] : [[texts.webhooks.fields.next, next]]),
  ];
  const tries = delivery.attempts.flatMap((attempt) => [
    `  ${attempt.number}. ${attempt.at}  ${attempt.status ?? attempt.error ?? texts.webhooks.noResponse}  ${attempt.duration_ms} ms`,
    ...(attempt.response_body ? [`     ${attempt.response_body}`] : []),
  ]);
  return [
    ...facts.map(([name = '', value]) => `${name.padEnd(10)} ${value}`),
    `${texts.webhooks.fields.body.padEnd(10)} ${JSON.stringify(delivery.payload)}`,
    ...(tries.length > 0 ? [texts.webhooks.attempts, ...tries] : []),
  ].join('\n');
}

interface ResendOptions extends ApiOptions {
  from?: string;
  to?: string;
}

async function resend(console: Console, id: string | undefined, options: ResendOptions): Promise<void> {
  const { from, to } = options;
  const { webhookDeliveries } = openApi(console, options);
  if (id !== undefined && from === undefined && to === undefined) {
    const { body } = await webhookDeliveries.resend({ params: { id }, body: {} });
    return print(console, { json: body, text: texts.webhooks.resending(id) }, options.json);
  }
  if (id !== undefined || from === undefined || to === undefined)
    throw new CommandError(texts.webhooks.selectOne, { exitCode: EXIT.usage });
  const { body } = await webhookDeliveries.resendMany({ body: { date_from: from, date_to: to } });
  const text = texts.webhooks.resendingMany(body.data.count);
  print(console, { json: body, text }, options.json);
}

interface RotateOptions extends ApiOptions, ConfirmationOptions {
  keepOldFor: number;
}

async function rotate(console: Console, options: RotateOptions): Promise<void> {
  const hours = options.keepOldFor;
  const until = hours === 0 ? texts.webhooks.oldEnds : texts.webhooks.oldFor(hours);
  await confirm(console, options, texts.webhooks.confirm(until));
  const { body } = await openApi(console, options).webhookSecrets.rotate({
    body: { keep_old_for_hours: hours },
  });
  print(console, { json: body, text: body.data.secret ?? '' }, options.json);
}
