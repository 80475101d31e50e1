/** `provider add`: an account at a provider of models, voices or transcription. For the server's own machine. */
import { addProvider } from '@parley/core';
import { remoteProviderKinds } from '@parley/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError, EXIT } from '../command-error.ts';
import { print, type Console } from '../console.ts';
import { withServer } from '../server-access.ts';

/** What is shown, and what the server calls it. */
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
  voice: Offer[];
  json?: boolean;
}

/** @param program - gets the command */
export function addProviderCommands(program: Command, console: Console): void {
  const provider = program.command('provider').description('providers of models, voices and transcription');
  provider
    .command('add')
    .description('add an account; what the provider lists itself comes by itself')
    .argument('<name>')
    .addOption(
      new Option('--kind <kind>', 'what it speaks').choices(remoteProviderKinds).default('openai-compatible'),
    )
    .option(
      '--url <address>',
      "where its interface begins, for example http://127.0.0.1:11434/v1; default: the provider's own",
      webAddress,
    )
    .option('--key <key>', 'its API key; tested, then kept encrypted')
    .option('--model <name[=id]>', 'a language model it has; may be repeated', collectOffer, [])
    .option('--voice <name[=id]>', 'a voice it has; may be repeated', collectOffer, [])
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  provider add Local --url http://127.0.0.1:11434/v1 --model "Llama 3=llama3.2:3b"\n  provider add ElevenLabs --kind elevenlabs --key "$KEY"',
    )
    .action((name: string, options: AddProviderOptions) => add(console, name, options));
}

async function add(console: Console, name: string, options: AddProviderOptions): Promise<void> {
  const { kind, url: baseUrl, key: apiKey, model: models, voice: voices } = options;
  if (kind === 'openai-compatible') refuseIncomplete(options);
  await withServer(console, async (core) => {
    const { id } = await addProvider(core, {
      name,
      kind,
      baseUrl,
      apiKey,
      models,
      voices,
    });
    const offers = [...models, ...voices].map((offer) => offer.name).join(', ');
    const text = offers === '' ? `${name} was added.` : `${name} was added with ${offers}.`;
    print(console, { json: { id, name, models, voices }, text }, options.json);
  });
}

/** Such a server has no address that is known, and its lists are not asked for. */
function refuseIncomplete({ url, model, voice }: AddProviderOptions): void {
  const fault = (text: string) => new CommandError(text, { exitCode: EXIT.usage });
  if (url === undefined) throw fault('Where is it? Name its --url.');
  if (model.length + voice.length === 0) throw fault('Nothing to add: name at least one --model or --voice.');
}

/** `Llama 3=llama3.2:3b`; without `=` both names are the same. */
function collectOffer(text: string, others: Offer[]): Offer[] {
  const [name = '', ...rest] = text.split('=');
  const wireName = rest.length === 0 ? name : rest.join('=');
  if (name.trim() === '' || wireName.trim() === '') throw new InvalidArgumentError('Write NAME or NAME=ID.');
  return [...others, { name: name.trim(), wireName: wireName.trim() }];
}

function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text;
  throw new InvalidArgumentError('Write an address that begins with http:// or https://.');
}
