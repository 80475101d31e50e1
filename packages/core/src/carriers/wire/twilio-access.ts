/** How requests to Twilio's REST API are made: forms with basic authentication. */
import type { CarrierSend } from './carrier-http.ts';
import { CarrierError, type CarrierCredentials } from './carrier.ts';
import { objectOf, textOf } from './read-answer.ts';

/** The fields of a form or a query. A list is a field that is sent several times. */
export type Fields = Record<string, string | readonly string[]>;

/** The hosts, or one of a simulator in place of all. */
interface Hosts {
  api: string;
  trunking: string;
  pricing: string;
}

const HOSTS: Hosts = {
  api: 'https://api.twilio.com',
  trunking: 'https://trunking.twilio.com',
  pricing: 'https://pricing.twilio.com',
};

/** Requests for one account. */
export interface TwilioAccess {
  get: (address: string, query?: Fields) => Promise<Record<string, unknown>>;
  post: (address: string, fields: Fields) => Promise<Record<string, unknown>>;
  /** Where the resources of the account are. */
  account: string;
  hosts: Hosts;
}

/** @param url - of a simulator; null: Twilio's own addresses */
export function openTwilio(
  send: CarrierSend,
  { accountSid, secret }: CarrierCredentials,
  url: string | null,
): TwilioAccess {
  const hosts = url === null ? HOSTS : { api: url, trunking: url, pricing: url };
  const authorization = `Basic ${Buffer.from(`${accountSid}:${secret}`).toString('base64')}`;
  const headers = { authorization, accept: 'application/json' };
  return {
    account: `${hosts.api}/2010-04-01/Accounts/${accountSid}`,
    hosts,
    async get(address, query = {}) {
      const text = encode(query);
      const target = text === '' ? address : `${address}?${text}`;
      return objectOf(await send({ method: 'GET', url: target, headers }));
    },
    async post(address, fields) {
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      return objectOf(await send({ method: 'POST', url: address, headers: form, body: encode(fields) }));
    },
  };
}

/** The text of an error body. */
export function explainTwilioError(body: unknown): string | null {
  const { code, message } = objectOf(body);
  const text = textOf(message);
  if (text === null) return null;
  return textOf(code) === null ? text : `${text} (Twilio error ${textOf(code)})`;
}

/** Part of an address, and therefore checked. */
export function sidOf({ sid }: Record<string, unknown>): string {
  if (typeof sid === 'string' && /^[A-Z]{2}[0-9a-f]{32}$/i.test(sid)) return sid;
  throw new CarrierError('uncertain', 'Its answer has no valid SID.');
}

function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  );
  return new URLSearchParams(pairs).toString();
}
