/** Labels for the state, the address and the limits of a SIP trunk. */
import type { TrunkRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** A label for the state, and a sentence where it needs an explanation. */
export interface TrunkState {
  label: string;
  /** Null: nothing to say. */
  reason: string | null;
}

/** @param untilText - end of the pause, as it is written on screen */
export function trunkState(
  { health, is_test: isTest }: Pick<TrunkRecord, 'health' | 'is_test'>,
  untilText: string | null,
): TrunkState {
  switch (health.state) {
    case 'healthy':
      return isTest || health.first_success_at !== null
        ? { label: texts.state.ready, reason: null }
        : { label: texts.state.untried, reason: texts.state.untriedReason };
    case 'paused':
      return {
        label: texts.state.paused,
        reason: untilText === null ? texts.state.pausedReason : texts.state.pausedUntil(untilText),
      };
    case 'on-trial':
      return { label: texts.state.onTrial, reason: texts.state.onTrialReason };
  }
}

type Registration = NonNullable<TrunkRecord['registration']>;

/** Statuses with which registrars answer wrong credentials (RFC 3261 section 22). */
const CHALLENGES: ReadonlySet<number> = new Set([401, 407]);
const TIMEOUT = 408;

/**
 * A label with the cause of a failure, and the sentence that the voice process reported.
 *
 * @param sinceText - when it came into this state, as it is written on screen
 */
export function registrationState(
  { state, sip_status: sipStatus, reason }: Registration,
  sinceText: string | null,
): TrunkState {
  const name = texts.registration[state];
  const label = sinceText === null ? name : texts.registration.since(name, sinceText);
  if (state !== 'failed') return { label, reason: null };
  return { label, reason: [failureCause(sipStatus), reason].filter(Boolean).join(' ') };
}

function failureCause(sipStatus: number | null): string {
  if (sipStatus === null || sipStatus === TIMEOUT) return texts.registration.noAnswer;
  if (CHALLENGES.has(sipStatus)) return texts.registration.wrongPassword;
  const isServers = sipStatus >= 500 && sipStatus < 600;
  return isServers ? texts.registration.unavailable(sipStatus) : texts.registration.refused(sipStatus);
}

/** `sip.example.com:5060 over UDP`; an IPv6 address gets its brackets, and the port is absent where DNS decides. A dash where the reader may not see the address. */
export function trunkAddress({
  host,
  port,
  transport,
}: Pick<TrunkRecord, 'host' | 'port' | 'transport'>): string {
  if (host === null) return '–';
  const shown = host.includes(':') ? `[${host}]` : host;
  return texts.address(port === null ? shown : `${shown}:${port}`, transport.toUpperCase());
}

/** `3 calls at once, 2 a second`, or a dash. */
export function trunkLimits({
  max_calls: calls,
  max_cps: perSecond,
}: Pick<TrunkRecord, 'max_calls' | 'max_cps'>): string {
  const parts = [
    calls === null ? null : texts.limits.calls(calls),
    perSecond === null ? null : texts.limits.perSecond(perSecond),
  ];
  return parts.filter((part) => part !== null).join(', ') || texts.limits.none;
}
