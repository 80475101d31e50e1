/** `provider add`: an account at a provider of models, voices or transcription. Runs on the server. */
import { addProvider } from '@parley/core';
import { remoteProviderKinds } from '@parley/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError, EXIT } from '../command-error.ts';
import { print, type Console } from '../console.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { texts } from './texts.ts';

/** The displayed name, and the name on the server. */
interface Offer {
  name: string;
  wireName: string;
}

type Kind = (typeof remoteProviderKinds)[number];

interface AddProviderOptions {
  kind: Kind;
  url?: string;
  key?: string;
  model: Offer[];
  embeddingModel: Offer[];
  voice: Offer[];
  json?: boolean;
}

/** @param program - gets the command */
export function addProviderCommands(program: Command, console: Console): void {
  const provider = program.command('provider').description(texts.provider.about);
  provider
    .command('add')
    .description(texts.provider.add)
    .argument('<name>')
    .addOption(
      new Option('--kind <kind>', texts.provider.kind)
        .choices(remoteProviderKinds)
        .default('openai-compatible'),
    )
    .option('--url <address>', texts.provider.url, webAddress)
    .option('--key <key>', texts.provider.key)
    .option('--model <name[=id]>', texts.provider.model, collectOffer, [])
    .option('--embedding-model <name[=id]>', texts.provider.embeddingModel, collectOffer, [])
    .option('--voice <name[=id]>', texts.provider.voice, collectOffer, [])
    .option('--json', texts.common.json)
    .addHelpText('after', texts.provider.example)
    .action((name: string, options: AddProviderOptions) => add(console, name, options));
}

async function add(console: Console, name: string, options: AddProviderOptions): Promise<void> {
  const {
    kind,
    url: baseUrl,
    key: apiKey,
    model: models,
    embeddingModel: embeddingModels,
    voice: voices,
  } = options;
  if (kind === 'openai-compatible') refuseIncomplete(options);
  await withServer(console, async (core) => {
    const { id } = await addProvider(core, {
      name,
      kind,
      baseUrl,
      apiKey,
      models,
      embeddingModels,
      voices,
    });
    await auditCommand(core, 'providers.create', id);
    const offers = [...models, ...embeddingModels, ...voices].map((offer) => offer.name).join(', ');
    const text = offers === '' ? texts.provider.added(name) : texts.provider.addedWith(name, offers);
    print(console, { json: { id, name, models, voices }, text }, options.json);
  });
}

/** A server with OpenAI's protocol has no default address, and its models are not listed automatically. */
function refuseIncomplete({ url, model, embeddingModel, voice }: AddProviderOptions): void {
  const fault = (text: string) => new CommandError(text, { exitCode: EXIT.usage });
  if (url === undefined) throw fault(texts.provider.noUrl);
  if (model.length + embeddingModel.length + voice.length === 0) throw fault(texts.provider.noOffers);
}

/** `Llama 3=llama3.2:3b`; without `=` both names are the same. */
function collectOffer(text: string, others: Offer[]): Offer[] {
  const [name = '', ...rest] = text.split('=');
  const wireName = rest.length === 0 ? name : rest.join('=');
  if (name.trim() === '' || wireName.trim() === '') throw new InvalidArgumentError(texts.provider.badOffer);
  return [...others, { name: name.trim(), wireName: wireName.trim() }];
}

function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text;
  throw new InvalidArgumentError(texts.provider.badUrl);
}
