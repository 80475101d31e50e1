/**
 * Authorises the call to a party to which the far end of a call refers us (REFER, RFC 3515), immediately before it is made.
 * The far end can name any number, so that the trunk must allow it, and all conditions of a second leg apply
 * (docs/decisions/incoming-refer.md). The call then has a second live row until its end.
 */
import { statement, type TrunkRow, type Tx } from '@parley/db';
import type { LockedCall } from '../calls/lock-call.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import type { CoreContext } from '../context.ts';
import { countryOfNumber, normalisePhoneNumber, readUserPart } from '../shared/phone-number.ts';
import { mayCallNumber } from '../users/token-limits.rules.ts';
import {
  authorizeSecondLeg,
  type BridgeRefusal,
  type LegParty,
  type PermittedBridge,
} from './authorize-bridge.ts';
import { callRefusalOf, numberRefusalOf } from './authorize-transfer.ts';
import { isExtension } from './referral-party.rules.ts';

/** Why the party must not be called. */
export type ReferralRefusal = BridgeRefusal | 'refer_refused' | 'not_a_number' | 'number_not_allowed';

/** The result. `wait`: the trunk has reached its limit of calls per second; ask again after `waitMs`. */
export type ReferralAuthorization =
  | ({ isAllowed: true; /** E.164, or an extension. */ phoneNumber: string } & PermittedBridge)
  | { isAllowed: false; reason: ReferralRefusal }
  | { isAllowed: false; reason: 'wait'; waitMs: number };

/** Which call, and whom its far end names. */
export interface ReferralInput {
  callId: number;
  /** The user part of Refer-To. */
  user: string;
  fence: VoiceFence;
}

const selectTrunk = statement<Pick<TrunkRow, 'incomingRefer' | 'defaultCountry' | 'reach'>>(
  'trunk_of_referral',
  `select incoming_refer, default_country, reach from trunks where id = $1`,
);
const selectAllowed = statement<{ allowedNumbers: string[] | null }>(
  'numbers_of_token',
  `select allowed_numbers from api_tokens where id = $1`,
);

const EVENTS = { permitted: 'far_end_referral', refused: 'far_end_referral_refused' };

/** @throws FencedError; DomainError `not-found` when there is no such call */
export async function authorizeReferral(
  ctx: CoreContext,
  { user, ...about }: ReferralInput,
): Promise<ReferralAuthorization> {
  let phoneNumber = '';
  const answer = await authorizeSecondLeg(ctx, about, {
    events: EVENTS,
    findParty: async (tx, locked) => {
      const party = await findParty(tx, locked, user);
      if ('phoneNumber' in party) ({ phoneNumber } = party);
      return party;
    },
  });
  return answer.isAllowed ? { ...answer, phoneNumber } : answer;
}

async function findParty(tx: Tx, locked: LockedCall, user: string): Promise<LegParty<ReferralRefusal>> {
  const { call, live } = locked;
  const refusal = await callRefusalOf(tx, locked);
  if (refusal || !live) return { refusal: refusal ?? 'over' };
  const [trunk] = await tx.query(selectTrunk, [live.trunkId]);
  if (!trunk || trunk.incomingRefer === 'refused') return { refusal: 'refer_refused' };
  const country = trunk.defaultCountry ?? countryOfNumber(call.assistantPhoneNumber);
  const isInternal = trunk.incomingRefer === 'numbers_and_extensions' && isExtension(user);
  const phoneNumber = isInternal ? user : normalisePhoneNumber(readUserPart(user, country));
  if (phoneNumber === null) return { refusal: 'not_a_number' };
  if (!(await mayTokenCall(tx, live.tokenId, phoneNumber))) return { refusal: 'number_not_allowed' };
  const obstacle = await numberRefusalOf(tx, live, phoneNumber);
  return obstacle ? { refusal: obstacle } : { phoneNumber };
}

/** The token that placed the call may be for certain numbers only; a removed token permits no further call. */
async function mayTokenCall(tx: Tx, tokenId: number | null, phoneNumber: string): Promise<boolean> {
  if (tokenId === null) return true;
  const [token] = await tx.query(selectAllowed, [tokenId]);
  return token !== undefined && mayCallNumber(token.allowedNumbers, phoneNumber);
}
