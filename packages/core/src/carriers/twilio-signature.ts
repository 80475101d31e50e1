/**
 * The signature of Twilio's requests: base64 of HMAC-SHA1, with the auth token of the account as the key, over the URL and, for
 * a form, its parameters, sorted by name, without anything between them.
 *
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** @param parameters - of the form; none for the handshake of a WebSocket */
export function signAsTwilio(
  token: string,
  url: string,
  parameters: readonly (readonly [string, string])[] = [],
): string {
  // A parameter that is sent twice with the same value counts once.
  const pairs = new Map(
    parameters.map(([name, value]) => [JSON.stringify([name, value]), [name, value] as const]),
  );
  const sorted = [...pairs.values()].toSorted(
    ([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue),
  );
  const text = url + sorted.flat().join('');
  return createHmac('sha1', token).update(text).digest('base64');
}

/** @param url - as it is configured; Twilio signs it with the port, or without */
export function isSignedByTwilio(
  token: string,
  signature: string,
  about: { url: string; parameters?: readonly (readonly [string, string])[] },
): boolean {
  return forms(about.url)
    .map((url) => isEqual(signAsTwilio(token, url, about.parameters), signature))
    .includes(true);
}

/** The URL with its port, and without. */
function forms(text: string): string[] {
  const url = new URL(text);
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
  const port = url.port || (isSecure ? '443' : '80');
  const rest = url.pathname + url.search;
  return [`${url.protocol}//${url.hostname}${rest}`, `${url.protocol}//${url.hostname}:${port}${rest}`];
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Compares code units, as Unix sorts in the C locale. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
