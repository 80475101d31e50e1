/** `docs/command-line.md`, written from the tree of commands; command-document.test.ts keeps the two alike. */
import { Command, type Argument, type Option } from 'commander';
import { withApiOptions } from '../src/api-access.ts';
import { withConfirmation } from '../src/confirmation.ts';

const INTRODUCTION = `# The command line

Every command begins with \`npm run -s cli --\` in the checkout. \`alias parley='npm run -s --prefix /path/to/parley cli --'\`
makes that \`parley\`, from anywhere.

- **Where.** Commands marked *anywhere* speak the public REST API and work from any machine: give its address with \`--url\`
  or \`PARLEY_URL\`, and a token with \`--token\` or \`PARLEY_TOKEN\`. The others work on the server's own machine and
  find the running Parley by themselves (\`DATABASE_URL\` and \`SECRET_KEY\`, or \`DATA_DIR\`, say where another one is).
- **Output.** Results go to stdout, remarks to stderr. With \`--json\`, which every command but \`completion\` has, the result
  is one line of JSON: what the API answered.
- **Bodies.** \`--file\` takes a JSON object with the fields of the API document (\`/docs\`); \`--set\` takes single fields and
  wins: \`parley assistants create --file anna.json --set llm_temperature=0.4\`. A value that is JSON is taken as such,
  anything else is text.
- **Deleting**, removing and revoking ask first. In scripts, where nobody can be asked, \`--yes\` is needed.
- **Exit codes.** 0 done; 1 refused or failed; 2 wrong command line; 78 the installation, or a token, was not found.
- **Completion.** \`eval "$(parley completion bash)"\` in \`~/.bashrc\`; \`parley completion zsh\` and \`fish\` likewise.

This page is made from the commands themselves: \`vitest run -u apps/cli/test\` writes it anew.
`;

/** Options that the introduction has told of. */
const common = withApiOptions(withConfirmation(new Command())).options;

export function commandDocument(program: Command): string {
  return `${INTRODUCTION}${program.commands.map((command) => chapter(command)).join('')}`;
}

function chapter(command: Command): string {
  const leaves = command.commands.length === 0 ? [command] : command.commands;
  const path = (leaf: Command): string =>
    leaf === command ? leaf.name() : `${command.name()} ${leaf.name()}`;
  return `\n## ${command.name()}\n\n${sentence(command)}\n${leaves.map((leaf) => section(leaf, path(leaf))).join('')}`;
}

function section(command: Command, path: string): string {
  const usage = ['parley', path, ...command.registeredArguments.map(argumentText)].join(' ');
  const told = command.parent?.parent ? `: ${command.description()}` : '';
  const place = command.options.some(isApiAddress) ? ' (*anywhere*)' : '';
  const options = command.options.filter((option) => !isTold(option)).map(optionLine);
  return `\n\`${usage}\`${place}${told}\n${options.length === 0 ? '' : `\n${options.join('\n')}\n`}`;
}

function isTold({ flags, description }: Option): boolean {
  return (
    flags === '--json' || common.some((told) => told.flags === flags && told.description === description)
  );
}

function isApiAddress(option: Option): boolean {
  return option.long === '--url' && isTold(option);
}

function argumentText(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function optionLine(option: Option): string {
  const facts = [
    ...(option.mandatory ? ['needed'] : []),
    ...(option.argChoices ? [`one of ${option.argChoices.map((word) => `\`${word}\``).join(', ')}`] : []),
    ...(isShown(option.defaultValue) ? [`default: \`${String(option.defaultValue)}\``] : []),
  ];
  const words = [...(option.description === '' ? [] : [option.description]), ...facts].join('; ');
  return `- \`${option.flags}\`${words === '' ? '' : `: ${words}`}`;
}

/** Collections begin empty, which is not worth a word. */
function isShown(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function sentence(command: Command): string {
  const text = command.description();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
