/**
 * Keys sent as INFO, the habit of older gateways: `application/dtmf-relay` (`Signal=5`, `Duration=160`) and
 * `application/dtmf` (the bare key). There is no RFC for it.
 */

/** What most gateways mean when they name no duration, milliseconds. */
const USUAL_DURATION_MS = 160;
const LONGEST_MS = 10_000;

/** One key press; null if the body is none. */
export function parseKeyInfo(
  contentType: string,
  body: string,
): { digit: string; durationMs: number } | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/dtmf') return toKey(body.trim(), USUAL_DURATION_MS);
  if (type !== 'application/dtmf-relay') return null;
  const signal = /^\s*Signal\s*=\s*(\S{1,4})\s*$/im.exec(body)?.[1] ?? '';
  const duration = Number(/^\s*Duration\s*=\s*(\d{1,6})\s*$/im.exec(body)?.[1] ?? USUAL_DURATION_MS);
  return toKey(signal, Math.min(duration, LONGEST_MS));
}

/** Some senders number the keys as RFC 4733 does: 10 is `*`, 11 is `#`. */
function toKey(signal: string, durationMs: number): { digit: string; durationMs: number } | null {
  const digit = { '10': '*', '11': '#' }[signal] ?? signal.toUpperCase();
  return /^[0-9*#A-D]$/.test(digit) ? { digit, durationMs } : null;
}
