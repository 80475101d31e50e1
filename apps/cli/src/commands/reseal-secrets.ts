/** `reseal-secrets`: the last step of a change of the secret key. Runs on the server. */
import { resealSecrets, UnknownKeyError } from '@parley/core';
import type { Command } from 'commander';
import { CommandError, EXIT } from '../command-error.ts';
import { print, type Console } from '../console.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { texts } from './texts.ts';

/** @param program - gets the command */
export function addResealSecretsCommand(program: Command, console: Console): void {
  program
    .command('reseal-secrets')
    .description(texts.resealSecrets.about)
    .option('--json', texts.common.json)
    .action((options: { json?: boolean }) => reseal(console, options));
}

async function reseal(console: Console, { json }: { json?: boolean }): Promise<void> {
  const resealing = withServer(console, async (core) => {
    const result = await resealSecrets(core);
    await auditCommand(core, 'secrets.reseal', null);
    return result;
  });
  const { changed, callsWithOtherKeys } = await resealing.catch((cause: unknown) => {
    if (!(cause instanceof UnknownKeyError)) throw cause;
    const { unknownKey, hint } = texts.resealSecrets;
    throw new CommandError(unknownKey, { exitCode: EXIT.configuration, hint, cause });
  });
  const text = texts.resealSecrets.done(changed, callsWithOtherKeys);
  print(console, { json: { changed, calls_with_other_keys: callsWithOtherKeys }, text }, json);
}
