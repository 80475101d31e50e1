/** The environment of a check: a fleet, the log of the carrier, a webhook receiver. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';
import { checkLeftLeads } from './left-leads.ts';
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { Witness } from './witness.ts';

/** A running installation and its evidence. */
export interface Testbed {
  fleet: Fleet;
  witness: Witness;
  receiver: Receiver;
}

/** Starts the environment, runs a check, looks for leads that it left behind, and stops the environment, also after a failure. */
export async function withTestbed(
  options: FleetOptions,
  work: (testbed: Testbed) => Promise<CheckResult>,
): Promise<CheckResult> {
  const receiver = await startReceiver();
  try {
    const fleet = await startFleet(options);
    const witness = new Witness(fleet.installation.phonesLog);
    try {
      const result = await work({ fleet, witness, receiver });
      const all = joined(result, await checkLeftLeads(fleet));
      if (all.faults.length === 0) return all;
      return { ...all, faults: [...all.faults, `the log of the processes is ${await keepLog(fleet)}`] };
    } finally {
      await witness.close();
      await fleet.stop();
    }
  } finally {
    await receiver.close();
  }
}

/** @returns the path of the file */
async function keepLog(fleet: Fleet): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'parley-chaos-')), 'processes.log');
  await writeFile(path, fleet.output());
  return path;
}

function joined(one: CheckResult, other: CheckResult): CheckResult {
  return {
    counts: { ...one.counts, ...other.counts },
    faults: [...one.faults, ...other.faults],
    controls: { ...one.controls, ...other.controls },
  };
}
