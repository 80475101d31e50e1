/**
 * DTMF keys in INFO requests, as older gateways send them: `application/dtmf-relay` (`Signal=5`, `Duration=160`) and
 * `application/dtmf` (the key alone). No RFC defines these bodies.
 */

/** The duration of a key whose body names none, milliseconds. */
const DEFAULT_DURATION_MS = 160;
const LONGEST_MS = 10_000;

/** Parses one key press; null if the body does not contain one. */
export function parseKeyInfo(
  contentType: string,
  body: string,
): { digit: string; durationMs: number } | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/dtmf') return toKey(body.trim(), DEFAULT_DURATION_MS);
  if (type !== 'application/dtmf-relay') return null;
  const signal = /^\s*Signal\s*=\s*(\S{1,4})\s*$/im.exec(body)?.[1] ?? '';
  const duration = Number(/^\s*Duration\s*=\s*(\d{1,6})\s*$/im.exec(body)?.[1] ?? DEFAULT_DURATION_MS);
  return toKey(signal, Math.min(duration, LONGEST_MS));
}

/** Some senders use the event codes of RFC 4733: 10 is `*`, 11 is `#`. */
function toKey(signal: string, durationMs: number): { digit: string; durationMs: number } | null {
  const digit = { '10': '*', '11': '#' }[signal] ?? signal.toUpperCase();
  return /^[0-9*#A-D]$/.test(digit) ? { digit, durationMs } : null;
}
