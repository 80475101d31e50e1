/**
 * Bodies and queries with exactly one rule broken: every rule that a JSON Schema states about a field is one row here,
 * with a value that breaks this rule and no other.
 */
import * as fc from 'fast-check';
import type { JsonSchema } from './contract-routes.ts';
import { requiredGroups, validBody, type AnyValue, type Body, type KnownValues } from './valid-values.ts';

/** One way to break a request. */
export interface Breaker {
  /** For example `above the maximum`. */
  rule: string;
  /** The field of the body under which the fault must be reported. */
  field: string;
  /** Names that must be absent, so that the fault is reported and is the only one. */
  without: string[];
  /** The invalid value; null if the field is omitted. */
  value: AnyValue | null;
}

/** A value that breaks one rule. */
interface BadValue {
  rule: string;
  value: AnyValue;
}

/** Two names of one field, from the table of the API reference: if the second is sent, the first is ignored. */
const READ_NAMES: Record<string, string> = {
  name: 'assistant_name',
  language_id: 'language',
  llm_model_id: 'llm_model',
  mode: 'engine_type',
  type: 'calls_direction',
  fillers: 'filler_audios',
  reengagement_interval: 're_engagement_interval',
  max_duration: 'max_call_duration',
  enable_noise_cancellation: 'noise_cancellation',
  record: 'record_call',
  wait_for_customer: 'who_speaks_first',
  allow_duplicate: 'allow_dupplicate',
};

/** The names that override a field if they are also sent. */
export function namesHiding(field: string): string[] {
  const writeName = READ_NAMES[field];
  return writeName === undefined ? [] : [writeName];
}

/** Every way to break a body. */
export function bodyBreakers(schema: JsonSchema, known: KnownValues): Breaker[] {
  const properties = Object.entries(schema.properties ?? {});
  const missing = requiredGroups(schema).map((group) => ({
    rule: 'missing',
    field: group[0] ?? '',
    without: group,
    value: null,
  }));
  const wrong = properties.flatMap(([name, field]) =>
    badValues(field, name, known).map(({ rule, value }) => ({
      rule,
      field: name,
      without: namesHiding(name),
      value,
    })),
  );
  return [...missing, ...wrong];
}

/** Every way to break a query, where everything is text and an empty value means "not given". */
export function queryBreakers(schema: JsonSchema, known: KnownValues): Breaker[] {
  return bodyBreakers(schema, known).flatMap((breaker) => {
    const value = breaker.value
      ?.filter((bad) => ['string', 'number'].includes(typeof bad))
      .map(String)
      .filter((text) => text !== '');
    const isOnlyText = ['not a text', 'null', 'not a list', 'not an object', 'not true or false'].includes(
      breaker.rule,
    );
    return value && !isOnlyText && breaker.rule !== 'empty' ? [{ ...breaker, value }] : [];
  });
}

/** Puts a broken value into a valid request. */
export function broken(valid: Body, { field, without }: Breaker, value: unknown): Body {
  const kept = Object.fromEntries(Object.entries(valid).filter(([name]) => !without.includes(name)));
  return value === undefined ? kept : { ...kept, [field]: value };
}

/** The schema defines time zones as strings; the name of the field shows that the zone must exist. */
const NAMED_RULES: Record<string, BadValue> = {
  timezone: { rule: 'no time zone', value: fc.constantFrom('Mars/Olympus', '+01:00', 'Europe/', '12') },
};

function badValues(schema: JsonSchema, name: string, known: KnownValues): BadValue[] {
  const { schema: plain, isNullable } = withoutNull(schema);
  const values = [...ofType(plain, name, known), ...(NAMED_RULES[name] ? [NAMED_RULES[name]] : [])];
  return isNullable
    ? values.filter(({ rule }) => rule !== 'empty')
    : [...values, { rule: 'null', value: fc.constant(null) }];
}

/** Removes `null` from a schema that allows it. */
function withoutNull(schema: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { schema: { ...schema, type: types[0] ?? 'null' }, isNullable: types.length < schema.type.length };
  }
  const choices = (schema.anyOf ?? []).filter((choice) => choice.type !== 'null');
  if (schema.anyOf && choices.length < schema.anyOf.length && choices[0])
    return { schema: choices[0], isNullable: true };
  return { schema, isNullable: schema.type === 'null' };
}

function ofType(schema: JsonSchema, name: string, known: KnownValues): BadValue[] {
  switch (String(schema.type)) {
    case 'string':
      return badTexts(schema);
    case 'integer':
      return [
        ...badNumbers(schema, 1),
        { rule: 'a fraction', value: fc.constantFrom(between(schema) + 0.5, String(between(schema) + 0.5)) },
        {
          rule: 'not a number',
          value: fc.constantFrom<unknown>('abc', '1e2', '0x10', 'NaN', '1 2', [], [1], {}, true),
        },
        {
          rule: 'not exact',
          value: fc.constantFrom<unknown>('9007199254740993', 1e300, '99999999999999999999999'),
        },
      ];
    case 'number':
      return [
        ...badNumbers(schema, 0.001),
        { rule: 'not a number', value: fc.constantFrom<unknown>('abc', 'Infinity', '0x1', [], {}, true) },
      ];
    case 'boolean':
      return [
        { rule: 'not true or false', value: fc.constantFrom<unknown>('yes', 'TRUE', 2, -1, '', [], {}) },
      ];
    case 'array':
      return badLists(schema, name, known);
    case 'object':
      return badObjects(schema, known);
    default:
      return [];
  }
}

/** An integer within all bounds. */
function between({ minimum = 1, maximum = minimum + 1 }: JsonSchema): number {
  return Math.floor((minimum + maximum) / 2);
}

function badNumbers({ minimum, maximum }: JsonSchema, step: number): BadValue[] {
  const far = 10 ** 6;
  return [
    ...(minimum === undefined
      ? []
      : [{ rule: 'below the minimum', value: fc.constantFrom(minimum - step, minimum - far) }]),
    ...(maximum === undefined
      ? []
      : [{ rule: 'above the maximum', value: fc.constantFrom(maximum + step, maximum + far) }]),
  ];
}

function badTexts(schema: JsonSchema): BadValue[] {
  const bad: BadValue[] = [{ rule: 'not a text', value: fc.constantFrom<unknown>(5, true, [], {}, ['a']) }];
  if (schema.enum) {
    return [
      ...bad,
      { rule: 'not in the list', value: fc.constantFrom('nothing', `${String(schema.enum[0])} `, 'Object') },
    ];
  }
  if (schema.minLength) bad.push({ rule: 'empty', value: fc.constantFrom('', ' ', '\t\n') });
  if (schema.maxLength !== undefined) {
    const { maxLength } = schema;
    bad.push({
      rule: 'too long',
      value: fc.constantFrom('a'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1)),
    });
  }
  if (schema.format === 'uri') bad.push({ rule: 'no address', value: fc.constantFrom(...BAD_ADDRESSES) });
  if (schema.format === 'date') bad.push({ rule: 'no day', value: fc.constantFrom(...BAD_DAYS) });
  if (schema.pattern !== undefined && schema.format === undefined) {
    const allowed = new RegExp(schema.pattern, 'u');
    bad.push({
      rule: 'against the pattern',
      value: fc.constantFrom('a b', 'ä', 'a-b', '25:99', '"').filter((text) => !allowed.test(text)),
    });
  }
  return bad;
}

const BAD_ADDRESSES = [
  'nothing',
  'ftp://example.com/',
  '//example.com/',
  'https://',
  'https://user:secret@example.com/',
  'https://exa mple.com/',
  'javascript:alert(1)',
];

const BAD_DAYS = [
  '2026-02-30',
  '2026-13-01',
  '26-01-01',
  '2026-1-1',
  '01.02.2026',
  'today',
  '2026-01-01T00:00:00Z',
];

function badLists(schema: JsonSchema, name: string, known: KnownValues): BadValue[] {
  const items = badValues(schema.items ?? {}, name, known).map(({ rule, value }) => ({
    rule: `an item: ${rule}`,
    value: value.map((bad) => [bad]),
  }));
  if (schema.minItems) items.push({ rule: 'too few', value: fc.constant([]) });
  return [{ rule: 'not a list', value: fc.constantFrom<unknown>('a', 5, true, { a: 1 }) }, ...items];
}

/** An empty list counts as an empty object where any keys are allowed, so it is not an invalid value. */
function badObjects(schema: JsonSchema, known: KnownValues): BadValue[] {
  const bad: BadValue[] = [
    { rule: 'not an object', value: fc.constantFrom<unknown>('a', 5, true, [5], ['a']) },
  ];
  if (!schema.properties) return bad;
  const valid = validBody(schema, known);
  const parts = bodyBreakers(schema, known).map((breaker) => ({
    rule: `${breaker.field}: ${breaker.rule}`,
    value: fc
      .tuple(valid, breaker.value ?? fc.constant(undefined))
      .map(([body, value]) => broken(body, breaker, value)),
  }));
  return [...bad, ...parts];
}
