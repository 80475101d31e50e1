/** `user add`, `token create`, `sign-in-link`: people and their ways in. For the server's own machine. */
import {
  createSignInLink,
  createToken,
  createUser,
  findUserByEmail,
  TOKEN_SCOPES,
  type TokenScope,
} from '@parley/core';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { print, type Console } from '../console.ts';
import { withServer } from '../server-access.ts';

interface AddUserOptions {
  role: 'operator' | 'member';
  password?: string;
  json?: boolean;
}

/** @param program - gets the commands */
export function addUserCommands(program: Command, console: Console): void {
  const user = program.command('user').description('people who use this installation');
  user
    .command('add')
    .description('make a user and a token for them')
    .argument('<name>')
    .argument('<email>')
    .addOption(
      new Option('--role <role>', 'operators own what is shared')
        .choices(['operator', 'member'])
        .default('member'),
    )
    .option('--password <password>', 'for signing in; without one, use sign-in-link')
    .option('--json', 'print JSON')
    .action((name: string, email: string, options: AddUserOptions) =>
      addUser(console, { name, email, ...options }),
    );

  const token = program.command('token').description('tokens of the REST API');
  token
    .command('create')
    .description('make a token; it is shown this once')
    .argument('<email>', 'whose')
    .option('--name <name>', 'what it is for', 'Command line')
    .addOption(
      new Option('--scope <scope...>', 'what it may do; default: everything').choices([...TOKEN_SCOPES]),
    )
    .option('--expires-in <days>', 'days until it ends', positiveNumber)
    .option('--json', 'print JSON')
    .action((email: string, options: CreateTokenOptions) => makeToken(console, email, options));

  program
    .command('sign-in-link')
    .description('a link that signs a user in to the admin app, once')
    .argument('<email>')
    .option('--json', 'print JSON')
    .action((email: string, options: { json?: boolean }) => makeSignInLink(console, email, options));
}

async function addUser(
  console: Console,
  input: AddUserOptions & { name: string; email: string },
): Promise<void> {
  await withServer(console, async (core) => {
    const user = await createUser(core, input);
    const { token } = await createToken(core, { userId: user.id, name: 'First token' });
    const text = `${user.name} <${user.email}> was added as ${user.role}.\nToken, shown this once: ${token}`;
    print(console, { json: { ...user, token }, text }, input.json);
  });
}

interface CreateTokenOptions {
  name: string;
  scope?: TokenScope[];
  expiresIn?: number;
  json?: boolean;
}

const DAY_MS = 24 * 3600 * 1000;

async function makeToken(console: Console, email: string, options: CreateTokenOptions): Promise<void> {
  await withServer(console, async (core) => {
    const user = await findUserByEmail(core, email);
    const { name, scope: scopes, expiresIn } = options;
    const expiresAt =
      expiresIn === undefined ? undefined : new Date(console.clock.now() + expiresIn * DAY_MS);
    const { id, token } = await createToken(core, { userId: user.id, name, scopes, expiresAt });
    print(console, { json: { id, token, email: user.email }, text: token }, options.json);
  });
}

async function makeSignInLink(console: Console, email: string, options: { json?: boolean }): Promise<void> {
  await withServer(console, async (core, installation) => {
    const user = await findUserByEmail(core, email);
    const secret = await createSignInLink(core, user.id);
    const url = `${installation.url ?? 'http://127.0.0.1:3000'}/admin/sign-in/link/${encodeURIComponent(secret)}`;
    print(console, { json: { email: user.email, url }, text: url }, options.json);
  });
}

/** @throws Error for commander, which shows it with the option's name */
function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}
