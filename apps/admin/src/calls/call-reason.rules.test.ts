import { describe, expect, it } from 'vitest';
import { describeReason } from './call-reason.rules.ts';

describe('the text of a reason', () => {
  it.each([
    ['a known reason is a sentence', 'line_lost', 'The connection to the phone was lost'],
    ['an event may be written with dashes', 'customer-hung-up', 'The customer hung up'],
    ['a name in camel case is split into words', 'packetsSent', 'Packets sent'],
    ['an unknown reason is readable', 'trunk_said_no', 'Trunk said no'],
    ['nothing stays nothing', '', ''],
  ])('%s', (_sentence, reason, words) => {
    expect(describeReason(reason)).toBe(words);
  });
});
