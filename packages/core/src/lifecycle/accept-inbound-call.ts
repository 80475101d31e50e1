/** A call comes in: whose number is it, may it come from there, and which assistant answers. Enters at step 5. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isUniqueViolation, statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { insertCall } from '../calls/insert-call.ts';
import { loadCallForVoice, type CallForVoice } from '../calls/load-call-for-voice.ts';

/** What is known of an INVITE that came in. */
export interface InboundCallInput {
  /** The number that was called: E.164, or the user part of the URI. */
  to: string;
  /** Who calls, in the same form; may be empty. */
  from: string;
  sipCallId: string;
  /** IP address the INVITE came from, without port. */
  sourceAddress: string;
  voiceProcess: VoiceFence;
}

/** `reject` is a SIP status. */
export type InboundCallResult = { call: CallForVoice } | { reject: number };

const FORBIDDEN = 403;
const NOT_FOUND = 404;
const TEMPORARILY_UNAVAILABLE = 480;
const BUSY_HERE = 486;

/** Longer than any number or user part that is meant seriously. */
const MAX_CALLER_LENGTH = 64;

interface CalledNumber {
  phoneNumber: string;
  userId: number;
  trunkId: number;
  assistantId: number | null;
  assistantStatus: 'active' | 'inactive' | null;
}

const findNumber = statement<CalledNumber>(
  'find_called_number',
  `select n.phone_number, n.user_id, n.trunk_id, a.id as assistant_id, a.status as assistant_status
   from phone_numbers n
   left join assistants a on a.phone_number_id = n.id and a.type = 'inbound' and a.deleted_at is null
   where n.phone_number = $1`,
);
/** Trunks that this number's calls may come from. */
const selectTrunkHosts = statement<{ host: string }>(
  'inbound_trunk_hosts',
  `select host from trunks where user_id is null or user_id = $1`,
);

/** Writes the call and answers what voice needs to hold it, or the SIP status to refuse it with. */
export async function acceptInboundCall(
  ctx: CoreContext,
  input: InboundCallInput,
): Promise<InboundCallResult> {
  const [called] = await ctx.db.query(findNumber, [readNumber(input.to)]);
  if (!called) return { reject: NOT_FOUND };
  const hosts = await ctx.db.query(selectTrunkHosts, [called.userId]);
  if (
    !(await isAddressOf(
      input.sourceAddress,
      hosts.map(({ host }) => host),
    ))
  )
    return { reject: FORBIDDEN };
  if (called.assistantId === null || called.assistantStatus !== 'active')
    return { reject: TEMPORARILY_UNAVAILABLE };
  const callId = await writeCall(ctx, input, { ...called, assistantId: called.assistantId });
  return callId === null ? { reject: BUSY_HERE } : { call: await loadCallForVoice(ctx, callId) };
}

/** @returns null when this caller is in a call with this user already, or the same INVITE came twice */
async function writeCall(
  ctx: CoreContext,
  input: InboundCallInput,
  called: CalledNumber & { assistantId: number },
): Promise<number | null> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const configuration = await freezeConfiguration(tx, called);
      if (!configuration) return null;
      return insertCall(tx, {
        userId: called.userId,
        type: 'inbound',
        configuration,
        assistantPhoneNumber: called.phoneNumber,
        clientPhoneNumber: readNumber(input.from).slice(0, MAX_CALLER_LENGTH),
        inputVariables: {},
        trunkId: called.trunkId,
        sipCallId: input.sipCallId,
        at: now(ctx),
        heldBy: input.voiceProcess,
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Carriers write numbers with and without `+`. What is no number (an extension, a name) stays as it is. */
function readNumber(user: string): string {
  const withPlus = /^\d{8,15}$/.test(user) ? `+${user}` : user;
  return normalisePhoneNumber(withPlus) ?? user;
}

/** @param hosts - IP addresses or names of configured trunks */
async function isAddressOf(address: string, hosts: readonly string[]): Promise<boolean> {
  const source = plainAddress(address);
  if (hosts.includes(source)) return true;
  const names = hosts.filter((host) => isIP(host) === 0);
  const resolved = await Promise.all(names.map((name) => lookup(name, { all: true }).catch(() => [])));
  return resolved.flat().some((entry) => plainAddress(entry.address) === source);
}

/** An IPv4 address as it is seen on an IPv6 socket (RFC 4291 section 2.5.5.2) is the same address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
