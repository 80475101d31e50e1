/** Recorded phrases, as commands of `assistants`. Over the REST API, from any machine. */
import { readFileSync, statSync } from 'node:fs';
import { MAX_SOUND_BYTES, type RecordedPhraseRecord } from '@parley/contracts';
import type { Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { integer } from '../arguments.ts';
import { callerPath } from '../caller-path.ts';
import { CommandError, EXIT } from '../command-error.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import type { Environment } from '../settings.ts';
import { recordedPhraseTexts as words } from './recorded-phrase-texts.ts';
import { texts } from './texts.ts';

/** @param assistants - gets the commands */
export function addRecordedPhraseCommands(assistants: Command, console: Console): void {
  withApiOptions(assistants.command('phrases'))
    .description(words.list)
    .argument('<id>', '', integer)
    .action((id: number, options: ApiOptions) => list(console, id, options));
  withApiOptions(assistants.command('add-phrase'))
    .description(words.add)
    .argument('<id>', '', integer)
    .argument('<text>', words.text)
    .argument('<sound>', words.sound)
    .action((id: number, text: string, sound: string, options: ApiOptions) =>
      add(console, { id, text, sound }, options),
    );
  withApiOptions(withConfirmation(assistants.command('delete-phrase')))
    .description(words.delete)
    .argument('<id>', '', integer)
    .argument('<phrase>', '', integer)
    .action((id: number, phrase: number, options: ApiOptions & ConfirmationOptions) =>
      remove(console, { id, phrase_id: phrase }, options),
    );
}

async function list(console: Console, id: number, options: ApiOptions): Promise<void> {
  const { body } = await openApi(console, options).recordedPhrases.list({ params: { id } });
  const columns = {
    ID: (phrase: RecordedPhraseRecord) => phrase.id,
    STATUS: (phrase: RecordedPhraseRecord) => phrase.status,
    MS: (phrase: RecordedPhraseRecord) => phrase.duration_ms,
    TEXT: (phrase: RecordedPhraseRecord) => phrase.text,
    ERROR: (phrase: RecordedPhraseRecord) => phrase.error ?? '',
  };
  const others = body.sentences.filter(({ is_recorded }) => !is_recorded);
  const lines = [
    listing(body.data, columns, words.none),
    ...(others.length > 0 ? [words.sentences] : []),
    ...others.map(({ text }) => `  ${text}`),
  ];
  print(console, { json: body, text: lines.join('\n') }, options.json);
}

async function add(
  console: Console,
  { id, text, sound }: { id: number; text: string; sound: string },
  options: ApiOptions,
): Promise<void> {
  const file = readSound(console.environment, sound).toString('base64');
  const api = openApi(console, options);
  const { body } = await api.recordedPhrases.create({ params: { id }, body: { text, file } });
  const added = texts.common.added(words.one, body.data.id, body.data.text);
  print(console, { json: body, text: added }, options.json);
}

/** @throws CommandError if there is no such file or it is too large */
function readSound(environment: Environment, path: string): Buffer {
  const file = callerPath(environment, path);
  try {
    if (statSync(file).size <= MAX_SOUND_BYTES) return readFileSync(file);
  } catch (cause) {
    throw new CommandError(words.unreadable(path), { exitCode: EXIT.usage, cause });
  }
  throw new CommandError(words.tooLarge(path), { exitCode: EXIT.usage });
}

async function remove(
  console: Console,
  params: { id: number; phrase_id: number },
  options: ApiOptions & ConfirmationOptions,
): Promise<void> {
  await confirm(console, options, words.confirm(params.phrase_id));
  const { body } = await openApi(console, options).recordedPhrases.remove({ params });
  print(console, { json: body, text: texts.common.deleted(words.one, params.phrase_id) }, options.json);
}
