/** The environment of a check: a fleet, the log of the carrier, a webhook receiver. */
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
      return joined(result, await checkLeftLeads(fleet));
    } finally {
      await witness.close();
      await fleet.stop();
    }
  } finally {
    await receiver.close();
  }
}

function joined(one: CheckResult, other: CheckResult): CheckResult {
  return {
    counts: { ...one.counts, ...other.counts },
    faults: [...one.faults, ...other.faults],
    controls: { ...one.controls, ...other.controls },
  };
}
