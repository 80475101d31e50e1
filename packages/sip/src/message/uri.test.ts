import { describe, expect, it } from 'vitest';
import { SipParseError } from './parse-error.ts';
import { escapeUser, formatSipUri, parseSipUri, userOf } from './uri.ts';

describe('parseSipUri', () => {
  it('parses every part', () => {
    expect(parseSipUri('sip:alice:pa%20ss@Example.COM:5070;transport=TCP;lr?Subject=x')).toEqual({
      scheme: 'sip',
      userInfo: 'alice:pa%20ss',
      host: 'example.com',
      port: 5070,
      params: new Map([
        ['transport', 'TCP'],
        ['lr', null],
      ]),
      headers: 'Subject=x',
    });
  });

  it.each(['sip:10.0.0.1', 'sips:a@b:1', 'sip:a@[2001:db8::1]:5060;lr', 'sip:+1;isub=2@host?a=b&c=d'])(
    'writes %s unchanged',
    (text) => {
      expect(formatSipUri(parseSipUri(text))).toBe(text);
    },
  );

  it.each([
    ['tel:+1', 416],
    ['mailto:a@b', 416],
    ['sip:', 400],
    ['sip:a@', 400],
    ['sip:@b', 400],
    ['sip:a b@c', 400],
    ['sip:a@b:99999', 400],
    ['sip:a@b:x', 400],
    ['sip:%zz@b', 400],
    ['sip:a@b;;lr', 400],
    ['sip:a@-b', 400],
    ['sip:é@b', 400],
    ['nothing', 400],
  ])('refuses %s with %d', (text, status) => {
    const error = (() => {
      try {
        return parseSipUri(text);
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(SipParseError);
    expect(error).toMatchObject({ status });
  });
});

describe('userOf', () => {
  it.each([
    ['sip:+12025550100@host', '+12025550100'],
    ['sip:%2B1202@host;user=phone', '+1202'],
    ['sips:a:secret@host', 'a'],
    ['sip:1202;phone-context=x@host', '1202'],
    ['tel:+1-202-555-0100;ext=3', '+1-202-555-0100'],
    ['sip:gr%C3%BC%C3%9Fe@host', 'grüße'],
    ['sip:broken%@host', 'broken%'],
    ['sip:host', ''],
    ['', ''],
  ])('finds in %s the user "%s"', (uri, user) => {
    expect(userOf(uri)).toBe(user);
  });

  it('is the inverse of escaping', () => {
    for (const user of ['+1202', 'a b', 'x@y', 'q?;:']) {
      const uri = `sip:${escapeUser(user)}@host`;
      expect(parseSipUri(uri).userInfo).toBe(escapeUser(user));
      expect(userOf(uri)).toBe(user);
    }
  });
});
