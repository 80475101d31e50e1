/**
 * Which of the numbers in an INVITE are those of the caller and of the called party, by the settings of the trunk. All of them
 * are user parts, in any form.
 */
import type { TrunkRecord } from '@parley/contracts';

/** The numbers of an INVITE; empty or absent ones are not in it. */
export interface InboundNumbers {
  /** The number that was called: the user part of the Request-URI, in any form. */
  to: string;
  /** The user part of the To header, where some carriers write the number, with the account in the Request-URI. */
  toHeader?: string;
  /** The user part of P-Called-Party-ID, where proxies keep the number that they have replaced in the Request-URI. */
  calledPartyId?: string;
  /** The numbers in Diversion, the latest first: the called number of a call that was forwarded to this trunk. */
  divertedBy?: readonly string[];
  /** The number of the caller in From, in any form; may be empty. */
  from: string;
  /** The number in P-Asserted-Identity. */
  assertedIdentity?: string;
  /** The number of the caller in Remote-Party-ID. */
  remotePartyId?: string;
  /** The caller asked for privacy. */
  isPrivate?: boolean;
}

/**
 * Where the called number may be, in the order of the trunk: its own source, then Request-URI, To and P-Called-Party-ID. Calls
 * that were not diverted have no Diversion.
 */
export function calledUsers(source: TrunkRecord['inbound_called_source'], numbers: InboundNumbers): string[] {
  const { to, toHeader = '', calledPartyId = '', divertedBy = [] } = numbers;
  const usual = [to, toHeader, calledPartyId];
  const own = {
    request_uri: [],
    to: [toHeader],
    p_called_party_id: [calledPartyId],
    diversion: divertedBy,
  }[source];
  return [...new Set([...own, ...usual])].filter((user) => user !== '');
}

/** Where the called number of any trunk may be. */
export function possibleCalledUsers(numbers: InboundNumbers): string[] {
  return [...new Set([...calledUsers('request_uri', numbers), ...calledUsers('diversion', numbers)])];
}

/**
 * The user part that names the caller; empty for an unknown one. An identity that the trunk asserts names also a caller who
 * asked for privacy: RFC 3325 section 7 lets it travel only between parties that trust each other. From does not.
 *
 * @param numbers - of an INVITE that came from the trunk's own host
 */
export function callerUser(source: TrunkRecord['inbound_caller_source'], numbers: InboundNumbers): string {
  const { from, assertedIdentity = '', remotePartyId = '', isPrivate = false } = numbers;
  const asserted = { from: '', p_asserted_identity: assertedIdentity, remote_party_id: remotePartyId }[
    source
  ];
  if (asserted !== '') return asserted;
  return isPrivate ? '' : from;
}
