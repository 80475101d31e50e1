/**
 * Session timers (RFC 4028): what Session-Expires and Min-SE of both sides agree on, and when a session is refreshed or has
 * expired. `uac` and `uas` name the sides of one transaction; `local` and `remote` the sides of the call.
 */
import type { SessionTimerSetting } from '../dialog/agent-core.ts';
import { hasOption, TIMER } from '../message/extensions.ts';
import { headerValue, type HeaderField, type SipMessage, type SipRequest } from '../message/message.ts';

/** How long a session lasts without a refresh, and who refreshes it. */
export interface SessionInterval {
  seconds: number;
  refresher: 'local' | 'remote';
}

/** The answer to the interval of a request: 422, or the interval of the session, null if it does not expire. */
export type IntervalDecision = { isTooSmall: true } | { isTooSmall: false; interval: SessionInterval | null };

/** Longer intervals are treated as this one: timers of the process hold at most 24 days. */
const LONGEST_SECONDS = 86_400;
const DELTA = /^\d{1,10}$/;
const REFRESHER = /^refresher\s*=\s*(uac|uas)$/i;

/** The Session-Expires of a message, null without a valid one. */
function sessionExpires(message: SipMessage): { seconds: number; refresher: 'uac' | 'uas' | null } | null {
  const [delta = '', ...params] = (headerValue(message, 'Session-Expires') ?? '').split(';');
  if (!DELTA.test(delta.trim())) return null;
  const named = params.map((param) => REFRESHER.exec(param.trim())?.[1]?.toLowerCase()).find(Boolean);
  const refresher = named === 'uac' || named === 'uas' ? named : null;
  return { seconds: Math.min(Number(delta), LONGEST_SECONDS), refresher };
}

/** The Min-SE of a message in seconds, null without a valid one. */
function minimumOf(message: SipMessage): number | null {
  const delta = (headerValue(message, 'Min-SE') ?? '').split(';', 1)[0]?.trim() ?? '';
  return DELTA.test(delta) ? Number(delta) : null;
}

/**
 * Our answer to an INVITE or UPDATE as its UAS (section 9). A longer interval than ours is lowered to ours, never below the
 * Min-SE of the request. 422 is for peers that support timers; for others the interval is raised, and we refresh.
 *
 * @param current - the interval so far, which a request without Session-Expires keeps where both sides still support it
 */
export function decideInterval(
  request: SipRequest,
  setting: SessionTimerSetting,
  current: SessionInterval | null,
): IntervalDecision {
  const isSupported = hasOption(request, 'Supported', TIMER) || hasOption(request, 'Require', TIMER);
  const asked = sessionExpires(request);
  if (asked === null) {
    const isKept = isSupported || current?.refresher === 'local';
    return { isTooSmall: false, interval: isKept ? current : null };
  }
  if (isSupported && asked.seconds < setting.minimumSeconds) return { isTooSmall: true };
  const lowest = Math.min(Math.max(setting.minimumSeconds, minimumOf(request) ?? 0), LONGEST_SECONDS);
  const seconds = Math.max(lowest, Math.min(asked.seconds, setting.intervalSeconds));
  const refresher = isSupported && asked.refresher !== 'uas' ? 'remote' : 'local';
  return { isTooSmall: false, interval: { seconds, refresher } };
}

/** The fields of our 2xx. Section 9: where the peer is to refresh, Require makes sure that it does. */
export function answerFields(interval: SessionInterval | null): HeaderField[] {
  if (!interval) return [];
  const isRemote = interval.refresher === 'remote';
  const value = `${interval.seconds};refresher=${isRemote ? 'uac' : 'uas'}`;
  const fields = [{ name: 'Session-Expires', value }];
  return isRemote ? [...fields, { name: 'Require', value: TIMER }] : fields;
}

/** The fields of our request: `refresher` is named in a refresh, and left to the peer in the first INVITE. */
export function requestFields(setting: SessionTimerSetting, refresher: 'uac' | null = null): HeaderField[] {
  const suffix = refresher === null ? '' : `;refresher=${refresher}`;
  return [
    { name: 'Session-Expires', value: `${setting.intervalSeconds}${suffix}` },
    { name: 'Min-SE', value: `${setting.minimumSeconds}` },
  ];
}

/** What a 2xx to our request agrees on; null if the session does not expire (section 7.2). */
export function agreedInterval(response: SipMessage, setting: SessionTimerSetting): SessionInterval | null {
  const answered = sessionExpires(response);
  if (answered === null) return null;
  const seconds = Math.max(answered.seconds, setting.minimumSeconds);
  return { seconds, refresher: answered.refresher === 'uas' ? 'remote' : 'local' };
}

/**
 * The setting with which a request that got 422 is sent again (section 7.3), null if it must not be: the response names no
 * Min-SE, or none above what we have asked for, or one of more than a day.
 */
export function raisedSetting(response: SipMessage, before: SessionTimerSetting): SessionTimerSetting | null {
  const minimumSeconds = minimumOf(response);
  if (minimumSeconds === null || minimumSeconds > LONGEST_SECONDS) return null;
  if (minimumSeconds <= before.intervalSeconds) return null;
  return { intervalSeconds: minimumSeconds, minimumSeconds };
}

/** When the refresher refreshes: section 7.2 recommends half of the interval. Milliseconds. */
export function refreshAfterMs({ seconds }: SessionInterval): number {
  return seconds * 500;
}

/** When the session has expired: section 10, earlier by 32 seconds or a third of the interval, whichever is less. */
export function expireAfterMs({ seconds }: SessionInterval): number {
  return (seconds - Math.min(32, seconds / 3)) * 1000;
}
