/** The environment of a check: a fleet, the log of the carrier, a webhook receiver. */
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { Witness } from './witness.ts';

/** A running installation and its evidence. */
export interface Testbed {
  fleet: Fleet;
  witness: Witness;
  receiver: Receiver;
}

/** Starts the environment, runs a function, and stops the environment, also after a failure. */
export async function withTestbed<Result>(
  options: FleetOptions,
  work: (testbed: Testbed) => Promise<Result>,
): Promise<Result> {
  const receiver = await startReceiver();
  try {
    const fleet = await startFleet(options);
    const witness = new Witness(fleet.installation.phonesLog);
    try {
      return await work({ fleet, witness, receiver });
    } finally {
      await witness.close();
      await fleet.stop();
    }
  } finally {
    await receiver.close();
  }
}
