/**
 * `doctor`: checks that each lead of each campaign is settled, queued, in a call or blocked, and that the trunks that register
 * are registered. Runs on the server.
 */
import {
  findLeadFaults,
  findRegistrationFaults,
  repairLeads,
  type CoreContext,
  type LeadFault,
  type RegistrationFault,
} from '@parley/core';
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
  const { leads, trunks } = await withServer(console, async (core) => ({
    leads: await examineLeads(core, options.repair === true),
    trunks: await findRegistrationFaults(core),
  }));
  const json = [...leads.map(leadRecord), ...trunks.map(trunkRecord)];
  print(console, { json, text: describe(leads, trunks) }, options.json);
  if (leads.length > 0 && options.repair) console.remark(`${texts.doctor.repaired(leads.length)}\n`);
  else if (leads.length > 0)
    throw new CommandError(texts.doctor.found(leads.length), { hint: texts.doctor.hint });
  if (trunks.length > 0) {
    const hint = texts.doctor.registrationHint;
    throw new CommandError(texts.doctor.notRegistered(trunks.length), { hint });
  }
}

async function examineLeads(core: CoreContext, isRepair: boolean): Promise<LeadFault[]> {
  if (!isRepair) return findLeadFaults(core.db);
  const repaired = await repairLeads(core);
  await auditCommand(core, 'leads.repair', null);
  return repaired;
}

function describe(leads: readonly LeadFault[], trunks: readonly RegistrationFault[]): string {
  const leadColumns = {
    LEAD: (fault: LeadFault) => fault.leadId,
    CAMPAIGN: (fault: LeadFault) => fault.campaignId,
    FAULT: (fault: LeadFault) => texts.doctor.faults[fault.kind],
  };
  const trunkColumns = {
    TRUNK: (fault: RegistrationFault) => fault.trunkId,
    NAME: (fault: RegistrationFault) => fault.name,
    FAULT: (fault: RegistrationFault) => fault.reason ?? texts.doctor.noProcess,
  };
  const lists = [
    ...(leads.length > 0 || trunks.length === 0 ? [listing(leads, leadColumns, texts.doctor.none)] : []),
    ...(trunks.length > 0 ? [listing(trunks, trunkColumns, '')] : []),
  ];
  return lists.join('\n');
}

function leadRecord({ leadId, campaignId, kind }: LeadFault) {
  return { lead_id: leadId, campaign_id: campaignId, fault: kind };
}

function trunkRecord({ trunkId, state, sipStatus, reason }: RegistrationFault) {
  return { trunk_id: trunkId, fault: 'not_registered', state, sip_status: sipStatus, reason };
}
