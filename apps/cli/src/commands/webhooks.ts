/** `webhooks`: what was posted to your servers, sending it again, and the secret. Over the REST API, from anywhere. */
import type { DeliveryDetail, DeliveryRecord } from '@parley/contracts';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { CommandError, EXIT } from '../command-error.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';

/** @param program - gets the commands */
export function addWebhooksCommands(program: Command, console: Console): void {
  const webhooks = program.command('webhooks').description('what was posted to your servers');
  withApiOptions(webhooks.command('list'))
    .description('the newest webhooks')
    .addOption(
      new Option('--status <status>', 'only these').choices(['pending', 'delivered', 'failed', 'disabled']),
    )
    .option('--call <id>', 'only of this call', integer)
    .option('--from <day>', 'only from this day on: 2026-01-31')
    .option('--to <day>', 'only up to this day')
    .option('--page <number>', 'which page', integer, 1)
    .option('--per-page <number>', 'how many', integer, 15)
    .action((options: ListOptions) => list(console, options));
  withApiOptions(webhooks.command('show'))
    .description('one webhook, with every try and its answer')
    .argument('<id>', 'its webhook-id')
    .action((id: string, options: ApiOptions) => show(console, id, options));
  withApiOptions(webhooks.command('resend'))
    .description('send one webhook again, or all of some days that failed')
    .argument('[id]', 'its webhook-id')
    .option('--from <day>', 'all that failed, from this day on: 2026-01-31')
    .option('--to <day>', 'up to this day')
    .action((id: string | undefined, options: ResendOptions) => resend(console, id, options));
  withApiOptions(withConfirmation(webhooks.command('rotate-secret')))
    .description('make a new secret for your webhooks; it is shown this once')
    .option('--keep-old-for <hours>', 'how long the old one signs too', integer, 24)
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
    CALL: (delivery: DeliveryRecord) => delivery.call_id,
    STATUS: (delivery: DeliveryRecord) => delivery.status,
    TRIES: (delivery: DeliveryRecord) => delivery.attempt_count,
    ANSWER: (delivery: DeliveryRecord) => delivery.last_status ?? 'none',
  };
  const text = `${listing(page.data, columns, 'No webhooks here.')}\n${page.total} in all.`;
  print(console, { json: page, text }, options.json);
}

async function show(console: Console, id: string, options: ApiOptions): Promise<void> {
  const { body: delivery } = await openApi(console, options).webhookDeliveries.get({ params: { id } });
  print(console, { json: delivery, text: describe(delivery) }, options.json);
}

function describe(delivery: DeliveryDetail): string {
  const { id, event, call_id: call, url, status, reason, next_attempt_at: next } = delivery;
  const facts = [
    ['Webhook', id],
    ['Event', `${event} of call ${call}`],
    ['Address', url],
    ['Status', reason === null ? status : `${status} (${reason})`],
    ...(next === null ? [] : [['Next try', next]]),
  ];
  const tries = delivery.attempts.flatMap((attempt) => [
    `  ${attempt.number}. ${attempt.at}  ${attempt.status ?? attempt.error ?? 'no answer'}  ${attempt.duration_ms} ms`,
    ...(attempt.response_body ? [`     ${attempt.response_body}`] : []),
  ]);
  return [
    ...facts.map(([name = '', value]) => `${name.padEnd(10)} ${value}`),
    `Body       ${JSON.stringify(delivery.payload)}`,
    ...(tries.length > 0 ? ['Tries', ...tries] : []),
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
    return print(console, { json: body, text: `Webhook ${id} is being sent again.` }, options.json);
  }
  if (id !== undefined || from === undefined || to === undefined)
    throw new CommandError('Name one webhook, or give --from and --to.', { exitCode: EXIT.usage });
  const { body } = await webhookDeliveries.resendMany({ body: { date_from: from, date_to: to } });
  const text = `Webhooks that are being sent again: ${body.data.count}.`;
  print(console, { json: body, text }, options.json);
}

interface RotateOptions extends ApiOptions, ConfirmationOptions {
  keepOldFor: number;
}

async function rotate(console: Console, options: RotateOptions): Promise<void> {
  const hours = options.keepOldFor;
  const until = hours === 0 ? 'The old one ends at once.' : `The old one signs too for ${hours} h.`;
  await confirm(console, options, `Make a new secret for your webhooks? ${until}`);
  const { body } = await openApi(console, options).webhookSecrets.rotate({
    body: { keep_old_for_hours: hours },
  });
  print(console, { json: body, text: body.data.secret ?? '' }, options.json);
}
