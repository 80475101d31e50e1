/** `provider add`: a server of models and voices that speaks OpenAI's interface. For the server's own machine. */
import { addProvider } from '@parley/core';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError, EXIT } from '../command-error.ts';
import { print, type Console } from '../console.ts';
import { withServer } from '../server-access.ts';

/** What is shown, and what the server calls it. */
interface Offer {
  name: string;
  wireName: string;
}

interface AddProviderOptions {
  url: string;
  key?: string;
  model: Offer[];
  voice: Offer[];
  json?: boolean;
}

/** @param program - gets the command */
export function addProviderCommands(program: Command, console: Console): void {
  const provider = program.command('provider').description('servers of language models and voices');
  provider
    .command('add')
    .description('add a server that speaks the OpenAI interface')
    .argument('<name>')
    .requiredOption(
      '--url <address>',
      'where its interface begins, for example http://127.0.0.1:11434/v1',
      webAddress,
    )
    .option('--key <key>', 'its API key; kept encrypted')
    .option('--model <name[=id]>', 'a language model it has; may be repeated', collectOffer, [])
    .option('--voice <name[=id]>', 'a voice it has; may be repeated', collectOffer, [])
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  provider add Local --url http://127.0.0.1:11434/v1 --model "Llama 3=llama3.2:3b"',
    )
    .action((name: string, options: AddProviderOptions) => add(console, name, options));
}

async function add(console: Console, name: string, options: AddProviderOptions): Promise<void> {
  const { url: baseUrl, key: apiKey, model: models, voice: voices } = options;
  if (models.length + voices.length === 0) {
    throw new CommandError('Nothing to add: name at least one --model or --voice.', { exitCode: EXIT.usage });
  }
  await withServer(console, async (core) => {
    const { id } = await addProvider(core, {
      name,
      kind: 'openai-compatible',
      baseUrl,
      apiKey,
      models,
      voices,
    });
    const offers = [...models, ...voices].map((offer) => offer.name).join(', ');
    print(
      console,
      { json: { id, name, models, voices }, text: `${name} was added with ${offers}.` },
      options.json,
    );
  });
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
