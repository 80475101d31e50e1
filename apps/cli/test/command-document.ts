/** Generates `docs/command-line.md` from the tree of commands; command-document.test.ts compares them. */
import { Command, type Argument, type Option } from 'commander';
import { withApiOptions } from '../src/api-access.ts';
import { withConfirmation } from '../src/confirmation.ts';

const INTRODUCTION = `# The command line

Run each command with \`npm run -s cli --\` in the checkout. To use \`parley\` from any folder, define an alias:
\`alias parley='npm run -s --prefix /path/to/parley cli --'\`.

- **Where.** Commands marked *anywhere* use the public REST API and work from any machine: set its address with \`--url\`
  or \`PARLEY_URL\`, and a token with \`--token\` or \`PARLEY_TOKEN\`. The other commands run on the server and find the
  running Parley automatically. To select another installation, set \`DATABASE_URL\` and \`SECRET_KEY\`, or \`DATA_DIR\`.
- **Output.** Results are written to stdout, remarks to stderr. With \`--json\`, which every command except \`completion\`
  and \`test\` supports, the result is one line of JSON: the response of the API.
- **Bodies.** \`--file\` reads a JSON object with the fields of the API reference (\`/docs\`); \`--set\` sets single fields and
  overrides the file: \`parley assistants create --file anna.json --set llm_temperature=0.4\`. A value that is valid JSON is
  used as JSON; any other value is text.
- **Confirmation.** Commands that delete, remove or revoke ask for confirmation. Scripts must pass \`--yes\`.
- **Exit codes.** 0 success; 1 refused or failed; 2 invalid command line; 78 installation or token not found.
- **Completion.** \`eval "$(parley completion bash)"\` in \`~/.bashrc\`; \`parley completion zsh\` and \`fish\` likewise.

This page is generated from the commands. To update it, run \`vitest run -u apps/cli/test\`.
`;

/** Options that the introduction explains. */
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
  const described = command.parent?.parent ? `: ${command.description()}` : '';
  const place = command.options.some(isApiAddress) ? ' (*anywhere*)' : '';
  const options = command.options.filter((option) => !isTold(option)).map(optionLine);
  return `\n\`${usage}\`${place}${described}\n${options.length === 0 ? '' : `\n${options.join('\n')}\n`}`;
}

function isTold({ flags, description }: Option): boolean {
  return (
    flags === '--json' ||
    common.some((described) => described.flags === flags && described.description === description)
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
    ...(option.mandatory ? ['required'] : []),
    ...(option.argChoices ? [`one of ${option.argChoices.map((word) => `\`${word}\``).join(', ')}`] : []),
    ...(isShown(option.defaultValue) ? [`default: \`${String(option.defaultValue)}\``] : []),
  ];
  const words = [...(option.description === '' ? [] : [option.description]), ...facts].join('; ');
  return `- \`${option.flags}\`${words === '' ? '' : `: ${words}`}`;
}

/** Collections are empty by default, which is not documented. */
function isShown(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function sentence(command: Command): string {
  const text = command.description();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
