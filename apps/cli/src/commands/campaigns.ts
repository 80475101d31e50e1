/** `campaigns`: list, show, create, update, forecast, start, stop, delete. Over the REST API, from any machine. */
import type { ParleyClient } from '@parley/client';
import type { CampaignForecast, CampaignRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer, share } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { facts, listing, print, type Console } from '../console.ts';
import { readBody, withBodyOptions, type BodyOptions } from '../request-body.ts';
import { texts } from './texts.ts';

type NewCampaign = Parameters<ParleyClient['campaigns']['create']>[0]['body'];

/** @param program - gets the commands */
export function addCampaignCommands(program: Command, console: Console): void {
  const campaigns = program.command('campaigns').description(texts.campaigns.about);
  withApiOptions(campaigns.command('list'))
    .description(texts.campaigns.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(campaigns.command('show'))
    .description(texts.campaigns.show)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
  withApiOptions(withBodyOptions(campaigns.command('create')))
    .description(texts.campaigns.create)
    .option('--name <name>', texts.campaigns.name)
    .option('--assistant <id>', texts.campaigns.assistant, integer)
    .action((options: CreateOptions) => create(console, options));
  withApiOptions(withBodyOptions(campaigns.command('update')))
    .description(texts.common.update)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & BodyOptions) => update(console, id, options));
  withApiOptions(campaigns.command('forecast'))
    .description(texts.campaigns.forecast)
    .argument('<id>', '', integer)
    .requiredOption('--answer-rate <share>', texts.campaigns.answerRate, share)
    .requiredOption('--duration <seconds>', texts.campaigns.duration, integer)
    .option('--ring <seconds>', texts.campaigns.ring, integer, 25)
    .option('--start-at <instant>', texts.campaigns.startAt)
    .action((id: number, options: ForecastOptions) => forecast(console, id, options));
  addSwitches(campaigns, console);
}

function addSwitches(campaigns: Command, console: Console): void {
  withApiOptions(campaigns.command('start'))
    .description(texts.campaigns.start)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => switchTo(console, { id, action: 'start' }, options));
  withApiOptions(campaigns.command('stop'))
    .description(texts.campaigns.stop)
    .argument('<id>', '', integer)
    .option('--hang-up', texts.campaigns.hangUp)
    .action((id: number, options: ApiOptions & { hangUp?: boolean }) =>
      switchTo(console, { id, action: 'stop', hangUp: options.hangUp }, options),
    );
  withApiOptions(withConfirmation(campaigns.command('delete')))
    .description(texts.campaigns.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body: campaigns } = await openApi(console, options).campaigns.list();
  const columns = {
    ID: (campaign: CampaignRecord) => campaign.id,
    NAME: (campaign: CampaignRecord) => campaign.name,
    STATUS: (campaign: CampaignRecord) => campaign.status,
    'AT ONCE': (campaign: CampaignRecord) => campaign.max_calls_in_parallel,
    CREATED: (campaign: CampaignRecord) => campaign.created_at,
  };
  print(console, { json: campaigns, text: listing(campaigns, columns, texts.campaigns.none) }, options.json);
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: campaign } = await openApi(console, options).campaigns.get({ params: { id } });
  const { progress, obstacle, ...settings } = campaign;
  const warning = obstacle ? `\n\n${texts.campaigns.obstacle(obstacle.explanation)}` : '';
  const text = `${facts(settings)}\n\n${texts.campaigns.progress}\n${facts(progress)}${warning}`;
  print(console, { json: campaign, text }, options.json);
}

interface ForecastOptions extends ApiOptions {
  answerRate: number;
  duration: number;
  ring: number;
  startAt?: string;
}

async function forecast(console: Console, id: number, options: ForecastOptions): Promise<void> {
  const { answerRate, duration, ring, startAt } = options;
  const { body: plan } = await openApi(console, options).campaigns.forecast({
    params: { id },
    body: {
      answer_rate: answerRate,
      average_duration_seconds: duration,
      ring_seconds: ring,
      start_at: startAt,
    },
  });
  const { buckets, unreachable, ...numbers } = plan;
  const columns = {
    FROM: (bucket: Bucket) => bucket.at,
    CALLS: (bucket: Bucket) => bucket.calls,
    ANSWERED: (bucket: Bucket) => bucket.answered,
  };
  const missed = unreachable.map(({ leads, explanation }) => texts.campaigns.unreachable(leads, explanation));
  const text = [facts(numbers), ...missed, listing(buckets, columns, texts.campaigns.noCalls)].join('\n\n');
  print(console, { json: plan, text }, options.json);
}

type Bucket = CampaignForecast['buckets'][number];

interface CreateOptions extends ApiOptions, BodyOptions {
  name?: string;
  assistant?: number;
}

async function create(console: Console, options: CreateOptions): Promise<void> {
  const { name, assistant } = options;
  const set = {
    ...options.set,
    ...(name !== undefined && { name: JSON.stringify(name) }),
    ...(assistant !== undefined && { assistant_id: String(assistant) }),
  };
  const body = readBody(console.environment, { ...options, set }) as NewCampaign;
  const { body: answer } = await openApi(console, options).campaigns.create({ body });
  const { data } = answer;
  print(
    console,
    { json: answer, text: texts.common.created(texts.campaigns.one, data.id, data.name) },
    options.json,
  );
}

async function update(console: Console, id: number, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options);
  const { body: answer } = await openApi(console, options).campaigns.update({ params: { id }, body });
  print(console, { json: answer, text: texts.common.changed(texts.campaigns.one, id) }, options.json);
}

interface Switch {
  id: number;
  action: 'start' | 'stop';
  hangUp?: boolean | undefined;
}

async function switchTo(
  console: Console,
  { id, action, hangUp }: Switch,
  options: ApiOptions,
): Promise<void> {
  const { body } = await openApi(console, options).campaigns.updateStatus({
    body: { campaign_id: id, action, hang_up: hangUp },
  });
  print(console, { json: body, text: texts.campaigns.status(id, body.data.status) }, options.json);
  if (action === 'start') await warn(console, id, options);
}

/** The response to a start does not include the forecast. */
async function warn(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).campaigns.get({ params: { id } });
  if (body.obstacle) console.remark(`${texts.campaigns.obstacle(body.obstacle.explanation)}\n`);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.campaigns.confirm(id));
  const { body } = await openApi(console, options).campaigns.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(texts.campaigns.one, id) }, options.json);
}
