/** Names the local time of a number when the calling window is closed there. Pure. */
import { windowAt, type CallingWindow } from '../dialing/calling-window.rules.ts';

/** A country may have more; the first ones are enough to see the reason. */
const MOST_ZONES = 3;

/**
 * @param zones - the time zones that the number may be in
 * @returns null if the window is open in all of them
 */
export function explainLocalHours(window: CallingWindow, zones: readonly string[], at: Date): string | null {
  const closed = zones.filter((timezone) => !windowAt({ ...window, timezone }, at).isOpen);
  if (closed.length === 0) return null;
  const times = closed.slice(0, MOST_ZONES).map((zone) => `${localTime(zone, at)} in ${zone}`);
  const others = closed.length - times.length;
  const more = others > 0 ? `, and closed in ${others} more` : '';
  return `The calling window (${hoursOf(window)}) is closed in the time zone of the number: it is ${times.join(', ')}${more}.`;
}

/** For a window that never opens in the zones of campaign and number at the same time. */
export function explainNoCommonHours(window: CallingWindow, zones: readonly string[]): string {
  const named = zones.slice(0, MOST_ZONES).join(', ');
  return `The calling window (${hoursOf(window)}) is never open in ${window.timezone} and in the time zones of the number (${named}) at the same time.`;
}

function hoursOf({ allowedFrom, allowedUntil }: CallingWindow): string {
  return `${allowedFrom.slice(0, 5)} to ${allowedUntil.slice(0, 5)}`;
}

/** `22:05 on Thursday` */
function localTime(timeZone: string, at: Date): string {
  const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return `${time} on ${at.toLocaleDateString('en-GB', { timeZone, weekday: 'long' })}`;
}
