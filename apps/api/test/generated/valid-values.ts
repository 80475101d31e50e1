/**
 * Valid requests, made from the contract's JSON Schemas with fast-check. Values that a schema cannot express (existing
 * rows, time zones) are chosen by field name. Numbers and booleans are also sent as strings, as clients do.
 */
import * as fc from 'fast-check';
import type { JsonSchema } from './contract-routes.ts';

/** An arbitrary value of any JSON type. */
export type AnyValue = fc.Arbitrary<unknown>;
/** A whole body or query. */
export type Body = Record<string, unknown>;

/** Existing values by field name. */
export type KnownValues = Record<string, readonly unknown[]>;

/** Values by field name at any depth, for rules that no schema contains. */
const BY_NAME: Record<string, readonly unknown[]> = {
  mapping: ['{"name":"customer_name"}', '{"name":null}'],
  timezone: ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'],
  // Each list has positions of its own; the beginning is valid in all.
  cursor: [''],
  // Replaced by a new number in every request, see request-hints.ts.
  phone_number: ['+12025550123'],
  country_code: ['US', 'DE'],
  default_country: ['US', 'DE'],
  allowed_hours_start_time: ['00:00', '08:30', '09:15:30'],
  allowed_hours_end_time: ['23:59', '18:00', '17:45:00'],
  caller_number: ['+12025550100', '+1 (202) 555-0199'],
  host: ['sip.parley.example', '203.0.114.7', '2a00::7'],
  other_hosts: ['sip2.parley.example', '203.0.114.9:5080'],
  registrar: ['pbx.parley.example:5080', '203.0.114.8', '[2a00::8]:5070'],
  from_user: ['1234567t0', '+12025550100'],
  password: ['correct horse battery'],
  // Lower limits would delay the calls of other requests.
  max_calls: [10_000],
  max_cps: [1_000],
  max_calls_per_second: [1_000],
  max_calls_per_day: [1_000_000],
  max_cost_per_day: [100_000],
  // Shorter limits would end the calls of other requests.
  rtp_timeout_seconds: [60, 3_600],
  // Of a tool: a JSON schema, and an address in which variables may stand.
  parameters: [{ type: 'object', properties: { order: { type: 'string' } } }],
  url: ['https://example.com/orders/{{number}}', 'http://example.org:8080/a?b={{c}}'],
  endpoint: ['https://example.com/orders/{{number}}', 'http://example.org:8080/a?b={{c}}'],
  email: ['ada@parley.example', 'Grace.Hopper+1@parley.example'],
  allowed_origins: ['https://www.example.com', 'http://localhost:3000'],
};

const BY_FORMAT: Record<string, AnyValue> = {
  uri: fc.constantFrom(
    'https://example.com/hook',
    'http://example.org:8080/a?b=c&d=%20#e',
    'https://example.com',
    'HTTPS://EXAMPLE.com/Ünï',
  ),
  date: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc.constantFrom(
    '2098-01-31T09:05:00Z',
    '2098-01-31T09:05+05:45',
    '2098-12-31T23:59:59.123456Z',
  ),
  email: fc.constantFrom('ada@parley.example', 'x+y@parley.example'),
};

/** Any value that a schema allows. @throws Error if neither the schema nor the name determines a value */
function validValue(schema: JsonSchema, name: string, known: KnownValues): AnyValue {
  const fixed = known[name] ?? BY_NAME[name];
  if (fixed && !isList(schema) && schema.type !== 'null') return oneOfKnown(schema, fixed);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => validValue(choice, name, known)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => validValue({ ...schema, type }, name, known)));
  }
  return ofType(schema, name, known);
}

/** A list, also one that may be null. */
function isList({ type, anyOf = [] }: JsonSchema): boolean {
  return type === 'array' || anyOf.some((choice) => choice.type === 'array');
}

function oneOfKnown(schema: JsonSchema, values: readonly unknown[]): AnyValue {
  const isNumber = [schema.type].flat().includes('integer');
  const all = isNumber ? [...values, ...values.map(String)] : values;
  return fc.constantFrom(...all, ...([schema.type].flat().includes('null') ? [null] : []));
}

function ofType(schema: JsonSchema, name: string, known: KnownValues): AnyValue {
  switch (String(schema.type)) {
    case 'string':
      return validText(schema);
    case 'integer':
      return asTextToo(fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 }));
    case 'number':
      return asTextToo(decimal(schema));
    case 'boolean':
      return fc.constantFrom(true, false, 'true', 'false', 1, 0, '1', '0');
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validValue(schema.items ?? {}, name, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return schema.properties
        ? validBody(schema, known)
        : fc.dictionary(plainText(), jsonValue(), { maxKeys: 4 });
    default:
      throw new Error(`The schema of "${name}" says too little to make a value: add it to BY_NAME`);
  }
}

/** Between its bounds, both included, with few digits. */
function decimal({ minimum = 0, maximum = 1000 }: JsonSchema): fc.Arbitrary<number> {
  return fc
    .integer({ min: 0, max: 1000 })
    .map((part) => Number((minimum + ((maximum - minimum) * part) / 1000).toFixed(6)));
}

function asTextToo(value: fc.Arbitrary<number>): AnyValue {
  return fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: value.map(String) });
}

/** Text in any script that Postgres can store. */
function plainText(maxLength = 20): fc.Arbitrary<string> {
  return fc
    .string({ unit: 'grapheme', maxLength })
    .filter((text) => !text.includes('\0') && text.isWellFormed() && Array.from(text).length <= maxLength);
}

/** Any JSON value that Postgres can store. */
function jsonValue(): AnyValue {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      plainText(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(plainText(), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
}

function validText(schema: JsonSchema): AnyValue {
  const formatted = schema.format === undefined ? undefined : BY_FORMAT[schema.format];
  if (formatted) return formatted;
  const { minLength = 0, maxLength = 200 } = schema;
  if (schema.pattern !== undefined) {
    return fc
      .stringMatching(new RegExp(schema.pattern, 'u'))
      .filter((text) => text.length >= minLength && text.length <= maxLength);
  }
  const usual = plainText(Math.min(maxLength, 20)).filter((text) => minLength === 0 || text.trim() !== '');
  if (schema.maxLength === undefined) return usual;
  // The maximum length, in characters of two UTF-16 units each.
  return fc.oneof(
    { weight: 9, arbitrary: usual },
    { weight: 1, arbitrary: fc.constant('😀'.repeat(maxLength)) },
  );
}

/** Groups of names, one of which is required: `[['name', 'assistant_name'], ['voice_id']]`. */
export function requiredGroups(schema: JsonSchema): string[][] {
  const plain = (schema.required ?? []).map((name) => [name]);
  const either = (schema.allOf ?? []).map((rule) =>
    (rule.anyOf ?? []).flatMap((choice) => choice.required ?? []),
  );
  return [...plain, ...either.filter((group) => group.length > 0)];
}

/** An object with all required fields and any of the others. */
export function validBody(schema: JsonSchema, known: KnownValues): fc.Arbitrary<Body> {
  const properties = schema.properties ?? {};
  const groups = requiredGroups(schema);
  const required = new Set(groups.flat());
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  const names = fc
    .tuple(fc.subarray(optional), ...groups.map((group) => fc.constantFrom(...group)))
    .map(([some, ...chosen]) => [...chosen, ...some] as string[]);
  return names.chain((chosen) => recordOf(chosen, properties, known));
}

/** An object with its required fields only. */
export function smallestBody(schema: JsonSchema, known: KnownValues): fc.Arbitrary<Body> {
  const names = requiredGroups(schema).flatMap(([first]) => (first === undefined ? [] : [first]));
  return recordOf(names, schema.properties ?? {}, known);
}

function recordOf(
  names: readonly string[],
  properties: Record<string, JsonSchema>,
  known: KnownValues,
): fc.Arbitrary<Body> {
  const fields = [...new Set(names)].map(
    (name) => [name, validValue(properties[name] ?? {}, name, known)] as const,
  );
  return fc.record(Object.fromEntries(fields)).map((record) => ({ ...record }));
}
