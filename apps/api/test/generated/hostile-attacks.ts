/**
 * The table of attacks: each changes a valid request of an endpoint. A status is stated where only one is correct for
 * every endpoint; elsewhere any documented response except 5xx is accepted.
 */
import { gzipSync } from 'node:zlib';
import type { ContractRoute } from './contract-routes.ts';
import type { RawRequest } from './raw-request.ts';

/** The valid request that an attack changes. */
export interface Target {
  route: ContractRoute;
  /** With ids of existing rows. */
  path: string;
  /** JSON that would be accepted; `{}` where the endpoint takes no body. */
  body: Record<string, unknown>;
}

/** One row of the table. */
export interface Attack {
  name: string;
  /** The only correct status; absent: any below 500. */
  status?: number;
  /** Null if the attack does not apply to this endpoint. */
  request: (target: Target) => Partial<RawRequest> | null;
}

const MEBIBYTE = 1024 * 1024;
/** As deep as ten thousand, or as the limit of values allows. */
const depthFor = ({ route }: Target): number => Math.min(10_000, (route.facts.maxBodyValues ?? 50_000) - 100);

/** Replaces the first value of the body, or adds one where there is none, by JSON text. */
function withFirst({ body }: Target, json: string): string {
  const [first = 'x', ...rest] = Object.keys(body);
  const others = rest.map((name) => `,${JSON.stringify(name)}:${JSON.stringify(body[name])}`);
  return `{${JSON.stringify(first)}:${json}${others.join('')}}`;
}

const bodyAttacks: Attack[] = [
  { name: 'JSON that ends too early', status: 400, request: () => ({ body: '{"a":' }) },
  { name: 'JSON with something behind it', status: 400, request: () => ({ body: '{} {}' }) },
  { name: 'a NUL byte as it is', status: 400, request: (target) => ({ body: withFirst(target, '"a\0b"') }) },
  {
    name: 'a form',
    status: 415,
    request: () => ({ body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  {
    name: 'a body of no type',
    status: 415,
    request: () => ({ body: '{}', headers: { 'content-type': '' } }),
  },
  {
    name: 'JSON in Latin 1',
    status: 415,
    request: () => ({ body: '{}', headers: { 'content-type': 'application/json; charset=iso-8859-1' } }),
  },
  {
    name: 'an unknown content encoding',
    status: 415,
    request: () => ({ body: '{}', headers: { 'content-encoding': 'zstd-9' } }),
  },
  {
    name: 'invalid gzip',
    status: 400,
    request: () => ({ body: 'no gzip', headers: { 'content-encoding': 'gzip' } }),
  },
  {
    name: 'a bomb of gzip',
    status: 413,
    request: () => ({ body: BOMB, headers: { 'content-encoding': 'gzip' } }),
  },
  {
    name: 'a byte more than the limit',
    status: 413,
    request: ({ route }) => ({ body: `"${'a'.repeat((route.facts.maxBodyBytes ?? MEBIBYTE) - 1)}"` }),
  },
  {
    name: 'a NUL byte in a text',
    status: 422,
    request: (target) => ({ body: withFirst(target, '"a\\u0000b"') }),
  },
  {
    name: 'half a surrogate pair',
    status: 422,
    request: (target) => ({ body: withFirst(target, '"a\\ud800b"') }),
  },
  { name: 'the other half', status: 422, request: (target) => ({ body: withFirst(target, '"\\udc00"') }) },
  { name: 'a NUL byte in a key', status: 422, request: () => ({ body: '{"a\\u0000":1}' }) },
  {
    name: 'lists nested deeply',
    status: 422,
    request: (target) => {
      const depth = depthFor(target);
      return { body: withFirst(target, `${'['.repeat(depth)}${']'.repeat(depth)}`) };
    },
  },
  {
    name: 'objects nested deeply',
    status: 422,
    request: (target) => {
      const depth = depthFor(target);
      return { body: withFirst(target, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) };
    },
  },
  {
    name: 'brackets up to the limit of the body',
    status: 413,
    request: ({ route }) => {
      const pairs = Math.floor((route.facts.maxBodyBytes ?? MEBIBYTE) / 3) - 10;
      return { body: `{"a":[${'[],'.repeat(pairs)}1]}` };
    },
  },
  {
    name: 'a hundred thousand keys',
    request: () => ({ body: `{${Array.from({ length: 90_000 }, (_, key) => `"k${key}":1`).join()}}` }),
  },
  {
    name: 'text that is not UTF-8',
    request: (target) => ({ body: Buffer.from(withFirst(target, '"a\xff\xfeb"'), 'latin1') }),
  },
  {
    name: 'an integer of a thousand digits',
    request: (target) => ({ body: withFirst(target, '9'.repeat(1000)) }),
  },
  {
    name: 'a hundred thousand digits as a text',
    request: (target) => ({ body: withFirst(target, `"${'9'.repeat(100_000)}"`) }),
  },
  { name: 'a number beyond all bounds', request: (target) => ({ body: withFirst(target, '1e999') }) },
  {
    name: 'an integer that is not exact',
    request: (target) => ({ body: withFirst(target, '9007199254740993') }),
  },
  {
    name: 'an integer beyond 64 bits',
    request: (target) => ({ body: withFirst(target, '9223372036854775808') }),
  },
  { name: 'minus zero', request: (target) => ({ body: withFirst(target, '-0') }) },
  {
    name: '__proto__ with a value',
    request: () => ({ body: '{"__proto__":{"polluted":true,"isAdmin":true}}' }),
  },
  {
    name: 'constructor.prototype',
    request: () => ({ body: '{"constructor":{"prototype":{"polluted":true}}}' }),
  },
  {
    name: '__proto__ inside a field',
    request: (target) => ({ body: withFirst(target, '{"__proto__":{"polluted":true}}') }),
  },
  {
    name: 'a method of objects as a value',
    request: (target) => ({ body: withFirst(target, '{"toString":1,"valueOf":2,"length":3}') }),
  },
  { name: 'a list for the whole', request: (target) => ({ body: `[${JSON.stringify(target.body)}]` }) },
  {
    name: 'a list for every field',
    request: ({ body }) => ({ body: JSON.stringify(mapped(body, (value) => [value])) }),
  },
  {
    name: 'an object for every field',
    request: ({ body }) => ({ body: JSON.stringify(mapped(body, (value) => ({ value }))) }),
  },
  { name: 'null for the whole', request: () => ({ body: 'null' }) },
  {
    name: 'null for every field',
    request: ({ body }) => ({ body: JSON.stringify(mapped(body, () => null)) }),
  },
  {
    name: 'a text that is long and all spaces',
    request: (target) => ({ body: withFirst(target, `"${' '.repeat(900_000)}"`) }),
  },
  {
    name: 'a text that is long and nearly a number',
    request: (target) => ({ body: withFirst(target, `"${'1'.repeat(900_000)}x"`) }),
  },
  {
    name: 'a text that is long and nearly an address',
    request: (target) => ({ body: withFirst(target, `"http://${'a.'.repeat(400_000)} "`) }),
  },
];

const targetAttacks: Attack[] = [
  {
    name: 'every query parameter twice',
    request: ({ route, path }) => {
      const names = Object.keys(route.query?.properties ?? {});
      return names.length === 0
        ? null
        : { target: `${path}?${[...names, ...names].map((name) => `${name}=1`).join('&')}` };
    },
  },
  {
    name: 'query parameters as lists and objects',
    request: ({ route, path }) => {
      const names = Object.keys(route.query?.properties ?? { page: {} });
      return {
        target: `${path}?${names.map((name) => `${name}[]=1&${name}[__proto__][polluted]=1`).join('&')}`,
      };
    },
  },
  {
    name: '__proto__ in the query',
    request: ({ path }) => ({ target: `${path}?__proto__=1&__proto__[polluted]=1&constructor=1` }),
  },
  {
    name: 'a NUL byte in the query',
    status: 422,
    request: ({ route, path }) => {
      const [name] = Object.keys(route.query?.properties ?? {});
      return name === undefined ? null : { target: `${path}?${name}=%00` };
    },
  },
  {
    name: 'a NUL byte in an unknown query parameter',
    request: ({ path }) => ({ target: `${path}?unknown=%00` }),
  },
  {
    name: 'a query that cannot be decoded',
    request: ({ path }) => ({ target: `${path}?page=%E0%A4%A&x=%` }),
  },
  {
    name: 'ten thousand query parameters',
    request: ({ path }) => ({ target: `${path}?${'a=1&'.repeat(3000)}` }),
  },
  {
    name: 'a path that is too long',
    status: 431,
    request: ({ path }) => ({ target: `${path}?${'a'.repeat(100_000)}` }),
  },
  {
    name: 'a header that is too long',
    status: 431,
    request: () => ({ headers: { 'x-long': 'a'.repeat(100_000) } }),
  },
  { name: 'ten thousand headers', status: 431, request: () => ({ headers: MANY_HEADERS }) },
  {
    name: 'a header with a control character',
    status: 400,
    request: () => ({ headers: { 'x-bad': 'a\0b' } }),
  },
  { name: 'an invalid length', status: 400, request: () => ({ headers: { 'content-length': '-1' } }) },
  {
    name: 'two framings at once',
    status: 400,
    request: () => ({
      headers: { 'transfer-encoding': 'chunked', 'content-length': '5' },
      body: '0\r\n\r\nX',
    }),
  },
  { name: 'an invalid host', request: () => ({ headers: { host: '"><script>' } }) },
  {
    name: 'an Idempotency-Key that is too long',
    request: ({ route, body }) =>
      route.isKeyed ? { headers: { 'idempotency-key': 'k'.repeat(256) }, body: JSON.stringify(body) } : null,
    status: 422,
  },
  ...[
    '%00',
    '%FF',
    '..%2f..%2f',
    '-1',
    '0',
    '1e3',
    '0x1',
    '1.0',
    '99999999999999999999',
    '__proto__',
    '%F0%9F%98%80',
  ].map((id): Attack => ({
    name: `${id} for an id`,
    status: 404,
    request: ({ route }) =>
      route.path.includes(':') && !isHiddenByBody(route, id)
        ? { target: route.path.replace(/:\w+/g, id) }
        : null,
  })),
];

/** A possible id: faults of the body are reported before the row is looked up. */
function isHiddenByBody({ body }: ContractRoute, id: string): boolean {
  return id === '0' && (body?.required ?? []).length > 0;
}

/**
 * The attacks on an endpoint. One that takes no body never looks at what is in it, so there only refusals are tried; to
 * one that takes files JSON is another type, and hostile files are the business of rest/lead-imports.test.ts.
 */
export function attacksOn({ body, facts }: ContractRoute): Attack[] {
  const attacks = bodyAttacks.filter(({ status }) =>
    facts.upload === undefined ? body !== null || status !== undefined : status === 415,
  );
  return [...attacks, ...targetAttacks];
}

const BOMB = gzipSync(`"${'a'.repeat(50 * MEBIBYTE)}"`);
const MANY_HEADERS = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x-${index}`, '1']));

function mapped(body: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));
}
