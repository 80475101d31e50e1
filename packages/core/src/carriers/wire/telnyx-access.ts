/** How requests to Telnyx's REST API are made: JSON with a bearer key, for some commands forms. */
import type { CarrierSend } from './carrier-http.ts';
import { CarrierError, type CarrierCredentials } from './carrier.ts';
import { objectOf, objectsOf, textOf } from './read-answer.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Requests for one account. Answers are whole: most have what was asked for in `data`. */
export interface TelnyxAccess {
  get: (path: string, query?: Record<string, string>) => Promise<Json>;
  write: (method: 'POST' | 'PATCH', path: string, content: Json) => Promise<Json>;
  writeForm: (path: string, fields: Record<string, string>) => Promise<Json>;
}

const URL_OF_TELNYX = 'https://api.telnyx.com';

/** The texts of an error body. */
export function explainTelnyxError(body: unknown): string | null {
  const texts = objectsOf(objectOf(body)['errors']).flatMap(({ code, title, detail }) => {
    const text = textOf(detail) ?? textOf(title);
    if (text === null) return [];
    return [textOf(code) === null ? text : `${text} (Telnyx error ${textOf(code)})`];
  });
  return texts.length === 0 ? null : texts.join(' ');
}

/** @param url - of a simulator; null: Telnyx's own address */
export function openTelnyx(
  send: CarrierSend,
  { secret }: CarrierCredentials,
  url: string | null,
): TelnyxAccess {
  const base = `${url ?? URL_OF_TELNYX}/v2`;
  const headers = { authorization: `Bearer ${secret}`, accept: 'application/json' };
  const post = async (method: 'POST' | 'PATCH', path: string, type: string, body: string): Promise<Json> => {
    const typed = { ...headers, 'content-type': type };
    return objectOf(await send({ method, url: `${base}${path}`, headers: typed, body }));
  };
  return {
    async get(path, query = {}) {
      const text = new URLSearchParams(query).toString();
      const address = `${base}${path}${text && `?${text}`}`;
      return objectOf(await send({ method: 'GET', url: address, headers }));
    },
    write: (method, path, content) => post(method, path, 'application/json', JSON.stringify(content)),
    writeForm: (path, fields) =>
      post('POST', path, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString()),
  };
}

/** Part of an address, and therefore checked. Ids are numbers or UUIDs. */
export function idOf({ id }: Json): string {
  const text = textOf(id);
  if (text !== null && /^[\w-]{1,64}$/.test(text)) return text;
  throw new CarrierError('uncertain', 'Its answer has no valid id.');
}
