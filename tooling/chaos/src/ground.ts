/** What every check stands on: a fleet, the carrier's log, a webhook receiver; all of it gone afterwards. */
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { Witness } from './witness.ts';

/** A running house and its witnesses. */
export interface Ground {
  fleet: Fleet;
  witness: Witness;
  receiver: Receiver;
}

/** Builds, does something, and takes everything down again, whatever happened. */
export async function onGround<Result>(
  options: FleetOptions,
  work: (ground: Ground) => Promise<Result>,
): Promise<Result> {
  const receiver = await startReceiver();
  try {
    const fleet = await startFleet(options);
    const witness = new Witness(fleet.house.phonesLog);
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
