/**
 * DTMF keys in INFO requests, as older gateways send them: `application/dtmf-relay` (`Signal=5`, `Duration=160`) and
 * `application/dtmf` (the key alone). No RFC defines these bodies.
 */
import type { HeaderField } from '../message/message.ts';

/** The duration of a key whose body names none, milliseconds. */
const DEFAULT_DURATION_MS = 160;
const LONGEST_MS = 10_000;

/** The header field and body of an INFO for one key press. */
export function writeKeyInfo(digit: string): { header: HeaderField; body: string } {
  return {
    header: { name: 'Content-Type', value: 'application/dtmf-relay' },
    body: `Signal=${digit}\r\nDuration=${DEFAULT_DURATION_MS}\r\n`,
  };
}

/** Parses one key press; null if the body does not contain one. */
export function parseKeyInfo(
  contentType: string,
  body: string,
): { digit: string; durationMs: number } | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/dtmf') return toKey(body.trim(), DEFAULT_DURATION_MS);
  if (type !== 'application/dtmf-relay') return null;
  const fields = parseFields(body);
  const duration = fields.get('duration') ?? '';
  const durationMs = /^\d{1,6}$/.test(duration) ? Number(duration) : DEFAULT_DURATION_MS;
  return toKey(fields.get('signal') ?? '', Math.min(durationMs, LONGEST_MS));
}

/** Lines of the form `Name=value`, by lower-case name; the first line of a name counts. */
function parseFields(body: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of body.split(/[\r\n]/)) {
    const equals = line.indexOf('=');
    const name = line.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, line.slice(equals + 1).trim());
  }
  return fields;
}

/** Some senders use the event codes of RFC 4733: 10 is `*`, 11 is `#`. */
function toKey(signal: string, durationMs: number): { digit: string; durationMs: number } | null {
  const digit = { '10': '*', '11': '#' }[signal] ?? signal.toUpperCase();
  return /^[0-9*#A-D]$/.test(digit) ? { digit, durationMs } : null;
}
