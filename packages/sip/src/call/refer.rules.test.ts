import { expect, it } from 'vitest';
import {
  isReportOf,
  REFER_TABLE,
  statusOfFragment,
  type ReferEvent,
  type ReferState,
} from './refer.rules.ts';

const EVENTS: ReferEvent[] = [
  'accepted',
  'refused',
  'unanswered',
  'succeeded',
  'failed',
  'unsubscribed',
  'limit',
  'dialog-over',
];
/** For each event in the order above the next state and the result; `-` is ignored. */
const EXPECTED: Record<ReferState, string[]> = {
  sent: [
    'accepted',
    'over refusal',
    'over unknown',
    'over success',
    'over failure',
    'over unknown',
    'over unknown',
    'over unknown',
  ],
  accepted: ['-', '-', '-', 'over success', 'over failure', 'over unknown', 'over unknown', 'over unknown'],
  over: ['-', '-', '-', '-', '-', '-', '-', '-'],
};

it.each(Object.entries(EXPECTED))('every event of a REFER that is %s', (state, expected) => {
  const found = EVENTS.map((event) => {
    const step = REFER_TABLE[state as ReferState][event];
    return step ? [step.next, step.result].filter(Boolean).join(' ') : '-';
  });
  expect(found).toEqual(expected);
});

it.each([
  ['SIP/2.0 200 OK', 200],
  ['SIP/2.0 486 Busy Here\r\nContact: <sip:a@b>\r\n', 486],
  ['SIP/2.0 100\r\n', 100],
  ['SIP/2.0 2000 OK', null],
  ['HTTP/1.1 200 OK', null],
  ['', null],
  ['x\r\nSIP/2.0 200 OK', null],
])('the status of the fragment %j is %s', (body, status) => expect(statusOfFragment(body)).toBe(status));

it.each([
  ['refer', true],
  ['Refer ; id=5', true],
  ['refer;id=4', false],
  ['presence', false],
  ['refer-to', false],
  [null, false],
])('a NOTIFY with Event %j belongs to the REFER with CSeq 5: %s', (event, isOurs) =>
  expect(isReportOf(event, [5])).toBe(isOurs),
);
