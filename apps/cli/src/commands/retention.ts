/** `retention`: a dry run of the nightly removal of expired data. Runs on the server. */
import { countExpiredKinds, type RetentionPeriod } from '@parley/core';
import type { Command } from 'commander';
import { listing, print, type Console } from '../console.ts';
import { withServer } from '../server-access.ts';
import { texts } from './texts.ts';

/** @param program - gets the command */
export function addRetentionCommand(program: Command, console: Console): void {
  program
    .command('retention')
    .description(texts.retention.about)
    .option('--json', texts.common.json)
    .action((options: { json?: boolean }) => preview(console, options));
}

type Kind = RetentionPeriod & { expired: number };

async function preview(console: Console, { json }: { json?: boolean }): Promise<void> {
  const kinds = await withServer(console, (core, { retention }) => countExpiredKinds(core, retention));
  const columns = {
    DATA: ({ name }: Kind) => texts.retention.kinds[name],
    'KEPT FOR': ({ days }: Kind) => texts.retention.period(days),
    'TO BE REMOVED': ({ expired }: Kind) => expired,
  };
  const text = listing(kinds, columns, '');
  const body = Object.fromEntries(kinds.map(({ name, days, expired }) => [name, { days, expired }]));
  print(console, { json: body, text }, json);
}
