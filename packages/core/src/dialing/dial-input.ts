/** What the dials of a claim have in common, and what each of its numbers brings to the rule. */
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { linesWithRoom, type CallRoom } from '../capacity/call-room.ts';
import type { StoredLines } from '../capacity/load-lines.ts';
import { routeCall, type Routing } from '../capacity/route-call.rules.ts';
import type { VoiceRoom } from '../capacity/lease.ts';
import type { StoredCampaign } from './campaign-rows.ts';
import type { DialNumber, DialRoom } from './dial-rule.rules.ts';
import type { StoredNumber } from './load-numbers.ts';
import { zonesOfNumber } from './number-zones.rules.ts';

/** What every call of a claim has in common. */
export interface DialInput {
  campaign: StoredCampaign;
  configuration: CallConfiguration;
  lines: StoredLines;
  /** Shrinks with every call that begins. */
  room: CallRoom;
  /** Who carries them; fills with every call that begins. */
  voices: VoiceRoom[];
  /** Calls up to the campaign's own limit; shrinks too. */
  free: number;
  at: Date;
  databaseNow: Date;
}

/** What a line is chosen from. */
interface TrunkInput extends Pick<DialInput, 'campaign' | 'lines' | 'room'> {
  /** Null: the campaign has lost its assistant. */
  configuration: CallConfiguration | null;
}

/** Whether an assistant may make the calls of a campaign. */
export function isDialable(configuration: CallConfiguration | null): configuration is CallConfiguration {
  return configuration?.assistant.status === 'active' && configuration.assistant.type === 'outbound';
}

/** Calls that may still begin now. */
export function dialRoomOf({ free, room }: Pick<DialInput, 'free' | 'room'>): DialRoom {
  return { campaign: free, account: room.account, fleet: room.fleet };
}

/** The line of a call to a number, at this moment. */
export function routeTo({ campaign, configuration, lines, room }: TrunkInput, phoneNumber: string): Routing {
  const assistantNumberId = callerNumberId(campaign, lines) ?? configuration?.assistant.phoneNumberId ?? null;
  return routeCall({ to: phoneNumber, assistantNumberId, ...linesWithRoom(lines, room) });
}

/** A lead's number as the rule wants it. */
export function dialNumberOf(means: TrunkInput, number: StoredNumber): DialNumber {
  const routing = routeTo(means, number.phoneNumber);
  const zones = means.campaign.isLeadTimezoneRespected ? zonesOfNumber(number.phoneNumber) : [];
  return { ...number, zones, lineHold: 'hold' in routing ? routing.hold : null };
}

/** The campaign's caller numbers in turn; those that were removed from the account are passed over. */
function callerNumberId(campaign: StoredCampaign, lines: StoredLines): number | null {
  const ids = campaign.phoneNumberIds.filter((id) => lines.numbers.some((number) => number.id === id));
  return ids[campaign.callerTurn % ids.length] ?? null;
}
