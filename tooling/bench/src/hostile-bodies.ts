/** The bodies of `bench:hostile`: each as large as the limits allow, and none of them valid. */
import { gzipSync } from 'node:zlib';

/** A request that must be refused. */
export interface HostileRequest {
  name: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

const MEBIBYTE = 1024 ** 2;
/** The endpoint that creates leads in bulk takes larger bodies. */
const BULK_LIMIT = 8 * MEBIBYTE;
const LEAD = '/api/user/lead';
const JSON_TYPE = { 'content-type': 'application/json' };
/** A little less than a body may have. */
const LONG = MEBIBYTE - 1024;

const inLead = (json: string): string => `{"phone_number":"+12025550142","campaign_id":${json}}`;

/** @param campaignId - an existing one, so that a request to it is refused for its body alone */
export function hostileRequests(campaignId: number): HostileRequest[] {
  const bulk = `/api/user/campaigns/${campaignId}/leads`;
  const request = (
    name: string,
    json: string | Buffer,
    other: Partial<HostileRequest> = {},
  ): HostileRequest => ({
    name,
    path: LEAD,
    headers: JSON_TYPE,
    body: Buffer.from(json),
    ...other,
  });
  const repeated = (part: string, limit: number): string => part.repeat(Math.floor(limit / part.length));
  return [
    request('a mebibyte that ends too early', `{"phone_number":"${'1'.repeat(LONG)}`),
    request('a byte more than the limit', `"${'a'.repeat(MEBIBYTE - 1)}"`),
    request('100 MiB in 100 kB of gzip', gzipSync(Buffer.alloc(100 * MEBIBYTE)), {
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    }),
    request('ten thousand lists, one in the other', inLead(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)),
    request(
      'ten thousand objects, one in the other',
      inLead(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    ),
    request('empty lists', inLead(`[${repeated('[],', LONG - 100)}1]`)),
    request('90,000 keys', `{${Array.from({ length: 90_000 }, (_, key) => `"k${key}":1`).join()}}`),
    request('a number of a million spaces', `{"phone_number":"${' '.repeat(LONG)}"}`),
    request('a number of a million digits and a letter', `{"phone_number":"${'1'.repeat(LONG)}x"}`),
    request('a form', 'a'.repeat(LONG), { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    request('no lead in 8 MiB', `{"leads":"${'a'.repeat(BULK_LIMIT - 1024)}"}`, { path: bulk }),
    request('too many leads in 8 MiB', `{"leads":[${repeated('{},', BULK_LIMIT - 1024)}{}]}`, { path: bulk }),
    request('too many values in 8 MiB', `{"leads":[${repeated('[1],', BULK_LIMIT - 1024)}1]}`, {
      path: bulk,
    }),
  ];
}
