/** The input of the dial rule: what all calls of a claim share, and what is specific to each number. */
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { routeOptionsWithin, type CallCapacity } from '../capacity/call-capacity.ts';
import type { StoredRouteOptions } from '../capacity/load-route-options.ts';
import { refusalOf } from '../capacity/load-destination-policy.ts';
import { routeCall, type Routing } from '../capacity/route-call.rules.ts';
import type { VoiceLoad } from '../capacity/lease.ts';
import type { StoredCampaign } from './campaign-rows.ts';
import type { DialNumber, FreeSlots } from './dial-rule.rules.ts';
import type { StoredNumber } from './load-numbers.ts';
import { zonesOfNumber } from './number-zones.rules.ts';

/** What all calls of a claim share. */
export interface DialInput {
  campaign: StoredCampaign;
  configuration: CallConfiguration;
  routeOptions: StoredRouteOptions;
  /** Decreases with each call that begins. */
  capacity: CallCapacity;
  /** The voice processes with their calls, which increase with each call that begins. */
  voices: VoiceLoad[];
  /** Free slots under the campaign's own limit; decreases with each call that begins. */
  free: number;
  at: Date;
  databaseNow: Date;
}

/** What the selection of a trunk depends on. */
interface TrunkInput extends Pick<DialInput, 'campaign' | 'routeOptions' | 'capacity'> {
  /** Null: the campaign has no assistant any more. */
  configuration: CallConfiguration | null;
}

/** Whether an assistant may make the calls of a campaign. */
export function isDialable(configuration: CallConfiguration | null): configuration is CallConfiguration {
  return configuration?.assistant.status === 'active' && configuration.assistant.type === 'outbound';
}

/** The free slots under each limit but those of trunks. */
export function freeSlotsOf({ free, capacity }: Pick<DialInput, 'free' | 'capacity'>): FreeSlots {
  return { campaign: free, account: capacity.account, fleet: capacity.fleet };
}

/** The route of a call to a number at this moment. */
export function routeTo(
  { campaign, configuration, routeOptions, capacity }: TrunkInput,
  phoneNumber: string,
): Routing {
  const assistantNumberId =
    callerNumberId(campaign, routeOptions) ?? configuration?.assistant.phoneNumberId ?? null;
  const refusal = refusalOf(routeOptions.destinations, phoneNumber);
  return routeCall({
    to: phoneNumber,
    refusal,
    assistantNumberId,
    ...routeOptionsWithin(routeOptions, capacity),
  });
}

/** A lead's number as input of the dial rule. */
export function dialNumberOf(input: TrunkInput, number: StoredNumber): DialNumber {
  const routing = routeTo(input, number.phoneNumber);
  const zones = input.campaign.isLeadTimezoneRespected ? zonesOfNumber(number.phoneNumber) : [];
  return {
    ...number,
    zones,
    trunkHold: 'hold' in routing ? routing.hold : null,
    refusal: 'refusal' in routing ? routing.refusal : null,
  };
}

/** Rotates the campaign's caller numbers; skips those that were removed from the account. */
function callerNumberId(campaign: StoredCampaign, routeOptions: StoredRouteOptions): number | null {
  const ids = campaign.phoneNumberIds.filter((id) => routeOptions.numbers.some((number) => number.id === id));
  return ids[campaign.callerTurn % ids.length] ?? null;
}
