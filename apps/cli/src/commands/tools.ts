/** `tools`: HTTP requests that assistants may make during calls. Over the REST API, from any machine. */
import type { ParleyClient } from '@parley/client';
import type { AccountToolRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { facts, listing, print, type Console } from '../console.ts';
import { readBody, withBodyOptions, type BodyOptions } from '../request-body.ts';
import { texts } from './texts.ts';

type NewTool = Parameters<ParleyClient['tools']['create']>[0]['body'];

/** @param program - gets the commands */
export function addToolCommands(program: Command, console: Console): void {
  const tools = program.command('tools').description(texts.tools.about);
  withApiOptions(tools.command('list'))
    .description(texts.tools.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(tools.command('show'))
    .description(texts.tools.show)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
  withApiOptions(withBodyOptions(tools.command('create')))
    .description(texts.tools.create)
    .action((options: ApiOptions & BodyOptions) => create(console, options));
  withApiOptions(withConfirmation(tools.command('delete')))
    .description(texts.tools.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body: tools } = await openApi(console, options).tools.list();
  const columns = {
    ID: (tool: AccountToolRecord) => tool.id,
    NAME: (tool: AccountToolRecord) => tool.name,
    REQUEST: (tool: AccountToolRecord) => `${tool.method} ${tool.endpoint}`,
    DESCRIPTION: (tool: AccountToolRecord) => tool.description,
  };
  print(console, { json: tools, text: listing(tools, columns, texts.tools.none) }, options.json);
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: tool } = await openApi(console, options).tools.get({ params: { id } });
  print(console, { json: tool, text: facts(tool) }, options.json);
}

async function create(console: Console, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as NewTool;
  const { body: answer } = await openApi(console, options).tools.create({ body });
  const { id, name } = answer.data;
  print(console, { json: answer, text: texts.common.created(texts.tools.one, id, name) }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.tools.confirm(id));
  const { body } = await openApi(console, options).tools.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(texts.tools.one, id) }, options.json);
}
