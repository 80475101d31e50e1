/** `retention`: a dry run of the nightly removal of expired data. Runs on the server. */
import { countExpiredData } from '@parley/core';
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

interface Kind {
  name: string;
  days: number;
  expired: number;
}

async function preview(console: Console, { json }: { json?: boolean }): Promise<void> {
  const kinds = await withServer(console, async (core, { retention }): Promise<Kind[]> => {
    const { idempotencyRecords, ...counts } = await countExpiredData(core, retention);
    const { recordings, transcripts, callNumbers, deliveries, sipTraces, auditEntries, consents } = retention;
    return [
      { name: 'recordings', days: recordings, expired: counts.recordings },
      { name: 'transcripts', days: transcripts, expired: counts.transcripts },
      { name: 'call_numbers', days: callNumbers, expired: counts.callNumbers },
      { name: 'deliveries', days: deliveries, expired: counts.deliveries },
      { name: 'sip_traces', days: sipTraces, expired: counts.sipTraces },
      { name: 'audit_entries', days: auditEntries, expired: counts.auditEntries },
      { name: 'consents', days: consents, expired: counts.consents },
      { name: 'idempotency_records', days: 1, expired: idempotencyRecords },
    ];
  });
  const columns = {
    DATA: ({ name }: Kind) => texts.retention.kinds[name as keyof typeof texts.retention.kinds],
    'KEPT FOR': ({ days }: Kind) => texts.retention.period(days),
    'TO BE REMOVED': ({ expired }: Kind) => expired,
  };
  const text = listing(kinds, columns, '');
  const body = Object.fromEntries(kinds.map(({ name, days, expired }) => [name, { days, expired }]));
  print(console, { json: body, text }, json);
}
