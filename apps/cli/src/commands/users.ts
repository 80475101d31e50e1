/** `user add`, `user list`, `user reset-second-factor`, `user remove`, `sign-in-link`. The list uses the REST API; the others run on the server. */
import type { UserRecord } from '@parley/contracts';
import {
  clearSecondFactor,
  createSignInLink,
  createToken,
  createUser,
  findUserByEmail,
  requestUserRemoval,
} from '@parley/core';
import { Option, type Command } from 'commander';
import { openApi, withApiOptions, type ApiOptions } from '../api-access.ts';
import { confirm, withConfirmation, type ConfirmationOptions } from '../confirmation.ts';
import { listing, print, type Console } from '../console.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { texts } from './texts.ts';

interface AddUserOptions {
  role: 'operator' | 'member';
  password?: string;
  json?: boolean;
}

interface ConfirmedOptions extends ConfirmationOptions {
  json?: boolean;
}

/** @param program - gets the commands */
export function addUserCommands(program: Command, console: Console): void {
  const user = program.command('user').description(texts.users.about);
  user
    .command('add')
    .description(texts.users.add)
    .argument('<name>')
    .argument('<email>')
    .addOption(
      new Option('--role <role>', texts.users.role).choices(['operator', 'member']).default('member'),
    )
    .option('--password <password>', texts.users.password)
    .option('--json', texts.common.json)
    .action((name: string, email: string, options: AddUserOptions) =>
      addUser(console, { name, email, ...options }),
    );

  withApiOptions(user.command('list'))
    .description(texts.users.list)
    .action((options: ApiOptions) => listUsers(console, options));

  withConfirmation(user.command('reset-second-factor'))
    .description(texts.users.resetSecondFactor)
    .argument('<email>')
    .option('--json', texts.common.json)
    .action((email: string, options: ConfirmedOptions) => resetSecondFactor(console, email, options));

  withConfirmation(user.command('remove'))
    .description(texts.users.remove)
    .argument('<email>')
    .option('--json', texts.common.json)
    .action((email: string, options: ConfirmedOptions) => removeUserByEmail(console, email, options));

  program
    .command('sign-in-link')
    .description(texts.users.signInLink)
    .argument('<email>')
    .option('--json', texts.common.json)
    .action((email: string, options: { json?: boolean }) => makeSignInLink(console, email, options));
}

async function addUser(
  console: Console,
  input: AddUserOptions & { name: string; email: string },
): Promise<void> {
  await withServer(console, async (core) => {
    const user = await createUser(core, input);
    const { token } = await createToken(core, { userId: user.id, name: texts.users.firstToken });
    await auditCommand(core, 'users.create', user.id);
    const text = texts.users.added(`${user.name} <${user.email}>`, user.role, token);
    print(console, { json: { ...user, token }, text }, input.json);
  });
}

async function listUsers(console: Console, options: ApiOptions): Promise<void> {
  const { body: users } = await openApi(console, options).users.list();
  const columns = {
    ID: (user: UserRecord) => user.id,
    NAME: (user: UserRecord) => user.name,
    EMAIL: (user: UserRecord) => user.email,
    ROLE: (user: UserRecord) => user.role,
    TIMEZONE: (user: UserRecord) => user.timezone,
  };
  print(console, { json: users, text: listing(users, columns, texts.users.none) }, options.json);
}

async function makeSignInLink(console: Console, email: string, options: { json?: boolean }): Promise<void> {
  await withServer(console, async (core, installation) => {
    const user = await findUserByEmail(core, email);
    const secret = await createSignInLink(core, user.id);
    await auditCommand(core, 'users.inviteAgain', user.id);
    const url = `${installation.url ?? 'http://127.0.0.1:3000'}/admin/sign-in/link/${encodeURIComponent(secret)}`;
    print(console, { json: { email: user.email, url }, text: url }, options.json);
  });
}

async function removeUserByEmail(console: Console, email: string, options: ConfirmedOptions): Promise<void> {
  await confirm(console, options, texts.users.confirmRemoval(email));
  await withServer(console, async (core) => {
    const user = await findUserByEmail(core, email);
    await requestUserRemoval(core, user.id);
    await auditCommand(core, 'users.remove', user.id);
    print(console, { json: { id: user.id }, text: texts.users.removed(user.email) }, options.json);
  });
}

async function resetSecondFactor(console: Console, email: string, options: ConfirmedOptions): Promise<void> {
  await confirm(console, options, texts.users.confirmReset(email));
  await withServer(console, async (core) => {
    const user = await findUserByEmail(core, email);
    await clearSecondFactor(core, user.id);
    await auditCommand(core, 'users.resetSecondFactor', user.id);
    const text = texts.users.secondFactorReset(user.email);
    print(console, { json: { email: user.email, has_second_factor: false }, text }, options.json);
  });
}
