/** `webhook-secret`: prints the secret with which a receiver verifies webhooks. Runs on the server. */
import { findUserByEmail, revealWebhookSecret } from '@parley/core';
import type { Command } from 'commander';
import { print, type Console } from '../console.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { texts } from './texts.ts';

/** @param program - gets the command */
export function addWebhookSecretCommand(program: Command, console: Console): void {
  program
    .command('webhook-secret')
    .description(texts.webhookSecret.about)
    .argument('<email>', texts.common.userEmail)
    .option('--json', texts.common.json)
    .action((email: string, options: { json?: boolean }) => showSecret(console, email, options));
}

async function showSecret(console: Console, email: string, options: { json?: boolean }): Promise<void> {
  await withServer(console, async (core) => {
    const user = await findUserByEmail(core, email);
    const secret = await revealWebhookSecret(core, user.id);
    await auditCommand(core, 'webhookSecrets.reveal', user.id);
    print(console, { json: { email: user.email, webhook_secret: secret }, text: secret }, options.json);
  });
}
