/** `knowledgebases`: documents that assistants use to answer. Over the REST API, from any machine. */
import type { ParleyClient } from '@parley/client';
import type { DocumentRecord, KnowledgebaseRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { facts, listing, print, type Console } from '../console.ts';
import { readBody, withBodyOptions, type BodyOptions } from '../request-body.ts';
import { texts } from './texts.ts';

type NewKnowledgebase = Parameters<ParleyClient['knowledgebases']['create']>[0]['body'];
type KnowledgebaseChanges = Parameters<ParleyClient['knowledgebases']['update']>[0]['body'];
type NewDocument = Parameters<ParleyClient['documents']['create']>[0]['body'];

const words = texts.knowledgebases;

/** @param program - gets the commands */
export function addKnowledgebaseCommands(program: Command, console: Console): void {
  const bases = program.command('knowledgebases').description(words.about);
  withApiOptions(bases.command('list'))
    .description(words.list)
    .action((options: ApiOptions) => list(console, options));
  withApiOptions(withBodyOptions(bases.command('create')))
    .description(words.create)
    .action((options: ApiOptions & BodyOptions) => create(console, options));
  withApiOptions(withBodyOptions(bases.command('update')))
    .description(words.update)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & BodyOptions) => update(console, id, options));
  withApiOptions(withConfirmation(bases.command('delete')))
    .description(words.delete)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & ConfirmationOptions) => remove(console, id, options));
  withApiOptions(bases.command('documents'))
    .description(words.documents)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => listDocuments(console, id, options));
  withApiOptions(bases.command('show-document'))
    .description(words.showDocument)
    .argument('<id>', '', integer)
    .argument('<document>', '', integer)
    .action((id: number, document: number, options: ApiOptions) =>
      showDocument(console, { id, document_id: document }, options),
    );
  withApiOptions(withBodyOptions(bases.command('add-document')))
    .description(words.addDocument)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions & BodyOptions) => addDocument(console, id, options));
  withApiOptions(withConfirmation(bases.command('delete-document')))
    .description(words.deleteDocument)
    .argument('<id>', '', integer)
    .argument('<document>', '', integer)
    .action((id: number, document: number, options: ApiOptions & ConfirmationOptions) =>
      removeDocument(console, { id, document_id: document }, options),
    );
}

async function list(console: Console, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).knowledgebases.list();
  const columns = {
    ID: ({ id }: KnowledgebaseRecord) => id,
    NAME: ({ name }: KnowledgebaseRecord) => name,
    STATUS: ({ status }: KnowledgebaseRecord) => status,
    DOCUMENTS: (base: KnowledgebaseRecord) => base.documents_count,
    EMBEDDING: (base: KnowledgebaseRecord) => base.embedding_status,
    ASSISTANTS: (base: KnowledgebaseRecord) => base.assistants_count,
  };
  print(console, { json: body.data, text: listing(body.data, columns, words.none) }, options.json);
}

async function create(console: Console, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as NewKnowledgebase;
  const { body: answer } = await openApi(console, options).knowledgebases.create({ body });
  const { id, name } = answer.data;
  print(console, { json: answer, text: texts.common.created(words.one, id, name) }, options.json);
}

async function update(console: Console, id: number, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as KnowledgebaseChanges;
  const { body: answer } = await openApi(console, options).knowledgebases.update({ params: { id }, body });
  print(console, { json: answer, text: facts(answer.data) }, options.json);
}

async function remove(
  console: Console,
  id: number,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, words.confirm(id));
  const { body } = await openApi(console, options).knowledgebases.remove({ params: { id } });
  print(console, { json: body, text: texts.common.deleted(words.one, id) }, options.json);
}

async function listDocuments(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).documents.list({ params: { id } });
  const columns = {
    ID: (document: DocumentRecord) => document.id,
    NAME: (document: DocumentRecord) => document.name,
    TYPE: (document: DocumentRecord) => document.type,
    STATUS: (document: DocumentRecord) => document.status,
    ERROR: (document: DocumentRecord) => document.error ?? '',
  };
  print(console, { json: body.data, text: listing(body.data, columns, words.noDocuments) }, options.json);
}

interface DocumentParameters {
  id: number;
  document_id: number;
}

async function showDocument(
  console: Console,
  params: DocumentParameters,
  options: ApiOptions,
): Promise<void> {
  const { body } = await openApi(console, options).documents.get({ params });
  print(console, { json: body.data, text: facts(body.data) }, options.json);
}

async function addDocument(console: Console, id: number, options: ApiOptions & BodyOptions): Promise<void> {
  const body = readBody(console.environment, options) as NewDocument;
  const { body: answer } = await openApi(console, options).documents.create({ params: { id }, body });
  const { id: documentId, name } = answer.data;
  print(
    console,
    { json: answer, text: texts.common.created(words.document, documentId, name) },
    options.json,
  );
}

async function removeDocument(
  console: Console,
  params: DocumentParameters,
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, words.confirmDocument(params.document_id));
  const { body } = await openApi(console, options).documents.remove({ params });
  print(
    console,
    { json: body, text: texts.common.deleted(words.document, params.document_id) },
    options.json,
  );
}
