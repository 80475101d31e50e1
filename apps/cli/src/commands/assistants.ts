/** `assistants`: list, show, create, update, delete, recorded phrases, and list the available values. Over the REST API, from any machine. */
import type { ParleyClient } from '@parley/client';
import type { AssistantRecord, AssistantVersionRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { facts, listing, print, type Console } from '../console.ts';
import { readBody, withBodyOptions, type BodyOptions } from '../request-body.ts';
import { addRecordedPhraseCommands } from './recorded-phrases.ts';
import { texts } from './texts.ts';

type NewAssistant = Parameters<ParleyClient['assistants']['create']>[0]['body'];

/** @param program - gets the commands */
export function addAssistantCommands(program: Command, console: Console): void {
  const assistants = program.command('assistants').description(texts.assistants.about);
  withApiOptions(assistants.command('list'))
    .description(texts.assistants.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(assistants.command('show'))
    .description(texts.assistants.show)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => show(console, id, options));
  withApiOptions(assistants.command('choices'))
    .description(texts.assistants.choices)
    .action((options: ApiOptions) => showChoices(console, options));
  withApiOptions(withBodyOptions(assistants.command('create')))
    .description(texts.assistants.create)
    .action((options: ApiOptions & BodyOptions) => create(console, options));
  withApiOptions(withBodyOptions(assistants.command('update')))
    .description(texts.common.update)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & BodyOptions) => update(console, id, options));
  withApiOptions(assistants.command('versions'))
    .description(texts.assistants.versions)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => listVersions(console, id, options));
  withApiOptions(withConfirmation(assistants.command('restore')))
    .description(texts.assistants.restore)
    .argument('<id>', '', integer)
    .argument('<version>', '', integer)
    .action((id: number, version: number, options: ApiOptions & ConfirmationOptions) =>
      restore(console, { id, version }, options),
    );
  withApiOptions(withConfirmation(assistants.command('delete')))
    .description(texts.assistants.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
  addRecordedPhraseCommands(assistants, console);
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body: assistants } = await openApi(console, options).assistants.listAll();
  const columns = {
    ID: (assistant: AssistantRecord) => assistant.id,
    NAME: (assistant: AssistantRecord) => assistant.name,
    TYPE: (assistant: AssistantRecord) => assistant.type,
    STATUS: (assistant: AssistantRecord) => assistant.status,
    LANGUAGE: (assistant: AssistantRecord) => assistant.language ?? '',
  };
  print(
    console,
    { json: assistants, text: listing(assistants, columns, texts.assistants.none) },
    options.json,
  );
}

async function show(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: assistant } = await openApi(console, options).assistants.get({ params: { id } });
  print(console, { json: assistant, text: facts(assistant) }, options.json);
}

async function showChoices(console: Console, options: ApiOptions): Promise<void> {
  const { lookups } = openApi(console, options);
  const [voices, models, languages, numbers] = await Promise.all([
    lookups.listVoices(),
    lookups.listModels(),
    lookups.listLanguages(),
    lookups.listPhoneNumbers(),
  ]);
  const all = {
    voices: voices.body,
    models: models.body,
    languages: languages.body,
    phone_numbers: numbers.body,
  };
  const line = ({ id, name }: { id: number; name: string }): string => `  ${id}  ${name}`;
  const text = [
    texts.assistants.voices,
    ...all.voices.map(line),
    texts.assistants.models,
    ...all.models.map(line),
    texts.assistants.languages,
    ...all.languages.map(line),
    texts.assistants.phoneNumbers,
    ...all.phone_numbers.map(({ id, phone_number: name }) => line({ id, name })),
  ].join('\n');
  print(console, { json: all, text }, options.json);
}

async function create(console: Console, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as NewAssistant;
  const { body: answer } = await openApi(console, options).assistants.create({ body });
  const { id, name } = answer.data;
  print(console, { json: answer, text: texts.common.created(texts.assistants.one, id, name) }, options.json);
}

async function update(console: Console, id: number, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options);
  const { body: answer } = await openApi(console, options).assistants.update({ params: { id }, body });
  print(console, { json: answer, text: texts.common.changed(texts.assistants.one, id) }, options.json);
}

async function listVersions(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body: versions } = await openApi(console, options).assistantVersions.list({ params: { id } });
  const columns = {
    VERSION: ({ version }: AssistantVersionRecord) => version,
    CREATED: (row: AssistantVersionRecord) => row.created_at,
    TOKEN: (row: AssistantVersionRecord) => row.token_name ?? '',
    CHANGED: (row: AssistantVersionRecord) => row.changed_settings.join(', '),
  };
  print(
    console,
    { json: versions, text: listing(versions, columns, texts.assistants.noVersions) },
    options.json,
  );
}

async function restore(
  console: Console,
  { id, version }: { id: number; version: number },
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.assistants.confirmRestore(id, version));
  const api = openApi(console, options);
  const { body } = await api.assistantVersions.restore({ params: { id, version }, body: {} });
  print(console, { json: body, text: texts.common.changed(texts.assistants.one, id) }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, texts.assistants.confirm(id));
  const { body } = await openApi(console, options).assistants.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(texts.assistants.one, id) }, options.json);
}
