/** `webhook-endpoints`: addresses that subscribe to events. Over the REST API, from any machine. */
import type { ParleyClient } from '@parley/client';
import type { EndpointRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { facts, listing, print, type Console } from '../console.ts';
import { readBody, withBodyOptions, type BodyOptions } from '../request-body.ts';
import { endpointTexts } from './endpoint-texts.ts';
import { texts } from './texts.ts';

type Endpoints = ParleyClient['webhookEndpoints'];
type NewEndpoint = Parameters<Endpoints['create']>[0]['body'];
type EndpointChanges = Parameters<Endpoints['update']>[0]['body'];

/** @param program - gets the commands */
export function addWebhookEndpointCommands(program: Command, console: Console): void {
  const endpoints = program.command('webhook-endpoints').description(endpointTexts.about);
  withApiOptions(endpoints.command('list'))
    .description(endpointTexts.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(endpoints.command('show'))
    .description(endpointTexts.show)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
  withApiOptions(withBodyOptions(endpoints.command('create')))
    .description(endpointTexts.create)
    .action((options: ApiOptions & BodyOptions) => create(console, options));
  withApiOptions(withBodyOptions(endpoints.command('update')))
    .description(endpointTexts.update)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & BodyOptions) => update(console, id, options));
  withApiOptions(endpoints.command('test'))
    .description(endpointTexts.test)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => test(console, id, options));
  withApiOptions(withConfirmation(endpoints.command('delete')))
    .description(endpointTexts.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body: endpoints } = await openApi(console, options).webhookEndpoints.list();
  const columns = {
    ID: (endpoint: EndpointRecord) => endpoint.id,
    URL: (endpoint: EndpointRecord) => endpoint.url,
    ENABLED: (endpoint: EndpointRecord) => String(endpoint.is_enabled),
    EVENTS: (endpoint: EndpointRecord) => endpoint.events.join(','),
  };
  const text = listing(endpoints, columns, endpointTexts.none);
  print(console, { json: endpoints, text }, options.json);
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: endpoint } = await openApi(console, options).webhookEndpoints.get({ params: { id } });
  print(console, { json: endpoint, text: facts(endpoint) }, options.json);
}

async function create(console: Console, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as NewEndpoint;
  const { body: answer } = await openApi(console, options).webhookEndpoints.create({ body });
  const { id, secret } = answer.data;
  print(console, { json: answer, text: endpointTexts.created(id, secret ?? '') }, options.json);
}

async function update(console: Console, id: number, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as EndpointChanges;
  const { body: answer } = await openApi(console, options).webhookEndpoints.update({ params: { id }, body });
  print(console, { json: answer, text: endpointTexts.changed(id) }, options.json);
}

async function test(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { webhookEndpoints } = openApi(console, options);
  const { body: answer } = await webhookEndpoints.test({ params: { id }, body: {} });
  const { status, error, duration_ms: durationMs } = answer.data;
  if (status === null) throw new CommandError(endpointTexts.noAnswer(error ?? ''));
  print(console, { json: answer, text: endpointTexts.answered(status, durationMs) }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, endpointTexts.confirm(id));
  const { body } = await openApi(console, options).webhookEndpoints.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(endpointTexts.one, id) }, options.json);
}
