/** `doctor`: checks that each lead of each campaign is settled, queued, in a call or blocked. Runs on the server. */
import { findLeadFaults, repairLeads, type LeadFault } from '@parley/core';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { listing, print, type Console } from '../console.ts';
import { auditCommand, withServer } from '../server-access.ts';
import { texts } from './texts.ts';

/** @param program - gets the command */
export function addDoctorCommand(program: Command, console: Console): void {
  program
    .command('doctor')
    .description(texts.doctor.about)
    .option('--repair', texts.doctor.repair)
    .option('--json', texts.common.json)
    .action((options: { repair?: boolean; json?: boolean }) => examine(console, options));
}

async function examine(console: Console, options: { repair?: boolean; json?: boolean }): Promise<void> {
  const faults = await withServer(console, async (core) => {
    if (!options.repair) return findLeadFaults(core.db);
    const repaired = await repairLeads(core);
    await auditCommand(core, 'leads.repair', null);
    return repaired;
  });
  const columns = {
    LEAD: (fault: LeadFault) => fault.leadId,
    CAMPAIGN: (fault: LeadFault) => fault.campaignId,
    FAULT: (fault: LeadFault) => texts.doctor.faults[fault.kind],
  };
  const records = faults.map(({ leadId, campaignId, kind }) => ({
    lead_id: leadId,
    campaign_id: campaignId,
    fault: kind,
  }));
  print(console, { json: records, text: listing(faults, columns, texts.doctor.none) }, options.json);
  if (faults.length === 0) return;
  if (options.repair) return console.remark(`${texts.doctor.repaired(faults.length)}\n`);
  throw new CommandError(texts.doctor.found(faults.length), { hint: texts.doctor.hint });
}
