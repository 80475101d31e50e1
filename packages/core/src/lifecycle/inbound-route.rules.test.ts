import type { StoredRoute } from '@parley/db';
import { expect, it } from 'vitest';
import { assistantsOf, routeCall } from './inbound-route.rules.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const EVERY_DAY = [...WEEKDAYS, 'saturday', 'sunday'];

const rule = (
  changes: Partial<StoredRoute['rules'][number]> & { assistantId: number },
): StoredRoute['rules'][number] => {
  const { assistantId, ...others } = changes;
  const action = { type: 'assistant', assistantId } as const;
  return { days: WEEKDAYS, from: '09:00:00', until: '17:00:00', callerCountries: [], action, ...others };
};

const OFFICE: StoredRoute = {
  timezone: 'Europe/Berlin',
  rules: [rule({ assistantId: 1 }), rule({ assistantId: 2, days: ['saturday'], until: '12:00:00' })],
  otherwise: { type: 'reject' },
};
const NIGHT: StoredRoute = {
  ...OFFICE,
  rules: [rule({ assistantId: 3, days: EVERY_DAY, from: '22:00:00', until: '06:00:00' })],
};
const SPRING: StoredRoute = {
  ...OFFICE,
  rules: [rule({ assistantId: 4, days: ['sunday'], from: '02:00:00', until: '03:00:00' })],
};
const LANGUAGES: StoredRoute = {
  ...OFFICE,
  rules: [
    rule({ assistantId: 5, days: EVERY_DAY, callerCountries: ['DE', 'AT'] }),
    rule({ assistantId: 6, days: EVERY_DAY }),
  ],
};

it.each<[string, StoredRoute, string, string | null, number | null]>([
  ['in office hours the first rule applies', OFFICE, '2026-01-05T08:00:00Z', null, 1],
  ['the hours are those of the time zone', OFFICE, '2026-01-05T07:59:59Z', null, null],
  ['the end is exclusive', OFFICE, '2026-01-05T16:00:00Z', null, null],
  ['in summer the same hours are an hour earlier', OFFICE, '2026-07-06T07:00:00Z', null, 1],
  ['another day has another rule', OFFICE, '2026-01-10T08:30:00Z', null, 2],
  ['on a day without a rule none applies', OFFICE, '2026-01-11T10:00:00Z', null, null],
  ['hours cross midnight', NIGHT, '2026-01-05T23:30:00Z', null, 1],
  ['hours that crossed midnight end in the morning', NIGHT, '2026-01-05T05:00:00Z', null, null],
  ['hours that are skipped in spring are never open', SPRING, '2026-03-29T01:30:00Z', null, null],
  ['hours that occur twice in autumn are open to their end', SPRING, '2026-10-25T01:30:00Z', null, 1],
  ['callers of a country have a rule of their own', LANGUAGES, '2026-01-05T10:00:00Z', 'AT', 1],
  ['callers of other countries do not', LANGUAGES, '2026-01-05T10:00:00Z', 'US', 2],
  ['nor do callers without a number', LANGUAGES, '2026-01-05T10:00:00Z', null, 2],
])('%s', (_sentence, route, at, country, expected) => {
  const routed = routeCall(route, country, new Date(at));
  expect(routed.rule).toBe(expected);
  expect(routed.action).toEqual(expected === null ? route.otherwise : route.rules[expected - 1]?.action);
});

it('a menu has the assistant that speaks and those of its keys', () => {
  const choices = [
    { key: '1', assistantId: 8 },
    { key: '2', assistantId: 9 },
  ];
  expect(assistantsOf({ type: 'menu', assistantId: 7, text: 'Press a key.', choices })).toEqual([7, 8, 9]);
  expect(assistantsOf({ type: 'reject' })).toEqual([]);
});
