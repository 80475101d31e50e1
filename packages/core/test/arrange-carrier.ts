/** An installation with a trunk to a carrier, where calls cost money. */
import { newNumberBody, newTrunkBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { addNumber, addTrunk, type Identity } from '../src/index.ts';
import { arrange, makeAnsweredCall, type Arrangement } from './arrange.ts';

/** An arrangement whose user has a trunk to a carrier. */
export interface CarrierArrangement extends Arrangement {
  trunkId: number;
  /** Registers a number of a user's own, by default on the trunk to the carrier. */
  addOwnNumber: (phoneNumber: string, on?: { owner: Identity; trunkId: number }) => Promise<number>;
}

/** As the migration writes it. */
const RESET_POLICY = `update dial_policy set allowed_countries = null, blocked_kinds =
  '{premium,shared_cost,satellite,international_network,personal,company,pager,voicemail}'`;

/** No number and no settings are left from other tests of the same file. */
export async function arrangeCarrier(
  db: Parameters<typeof arrange>[0],
  assistantFields: Record<string, unknown> = {},
): Promise<CarrierArrangement> {
  await db.query(statement('', 'delete from phone_numbers'));
  await db.query(statement('', RESET_POLICY));
  const about = await arrange(db, assistantFields);
  const { ctx, identity } = about;
  const carrier = newTrunkBody.parse({ name: 'Carrier', host: 'sip.carrier.example' });
  const { id: trunkId } = await addTrunk(ctx, identity, carrier);
  return {
    ...about,
    trunkId,
    addOwnNumber: async (phoneNumber, on = { owner: identity, trunkId }) => {
      const body = newNumberBody.parse({ phone_number: phoneNumber, sip_trunk_id: on.trunkId });
      return (await addNumber(ctx, on.owner, body)).id;
    },
  };
}

const moveToTrunk = statement('', 'update live_calls set trunk_id = $2 where call_id = $1');

/** A call that was answered and that the trunk to the carrier holds. */
export async function makeCallOnCarrier(about: CarrierArrangement): Promise<number> {
  const callId = await makeAnsweredCall(about);
  await about.ctx.db.query(moveToTrunk, [callId, about.trunkId]);
  return callId;
}
