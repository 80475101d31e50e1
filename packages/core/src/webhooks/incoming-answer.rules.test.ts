import { describe, expect, it } from 'vitest';
import { readIncomingAnswer } from './incoming-answer.rules.ts';

const answer = (body: string, status = 200) => readIncomingAnswer({ status, body });

describe('the answer to an incoming call', () => {
  it('gives variables', () => {
    expect(answer('{"variables":{"name":"Ada","n":1,"list":[1]}}')).toEqual({ name: 'Ada', n: 1, list: [1] });
    expect(answer('{"variables":{"name":"Ada"},"more":true}', 201)).toEqual({ name: 'Ada' });
    expect(answer('{"variables":{"name":"Ada"}}', 299)).toEqual({ name: 'Ada' });
    expect(answer('{"variables":[{"a":1},{"a":2}]}')).toEqual({ a: 2 });
  });

  it.each([
    ['no answer', null],
    ['a failure', { status: 500, body: '{"variables":{"name":"Ada"}}' }],
    ['an informational status', { status: 199, body: '{"variables":{"name":"Ada"}}' }],
    ['a redirect', { status: 302, body: '{"variables":{"name":"Ada"}}' }],
    ['no JSON', { status: 200, body: 'hello' }],
    ['half of it', { status: 200, body: '{"variables":{"name":"Ad' }],
    ['nothing', { status: 204, body: '' }],
    ['null', { status: 200, body: 'null' }],
    ['a list', { status: 200, body: '[{"variables":{}}]' }],
    ['no variables', { status: 200, body: '{}' }],
    ['variables that are null', { status: 200, body: '{"variables":null}' }],
    ['variables that are a text', { status: 200, body: '{"variables":"name"}' }],
    ['variables that are a list of texts', { status: 200, body: '{"variables":["name"]}' }],
    ['more than 64 KiB', { status: 200, body: JSON.stringify({ variables: { a: 'x'.repeat(65_536) } }) }],
    ['what Postgres cannot store', { status: 200, body: '{"variables":{"a":"\\u0000"}}' }],
    ['half a character', { status: 200, body: '{"variables":{"a":"\\ud800"}}' }],
  ])('gives none with %s', (_name, given) => {
    expect(readIncomingAnswer(given)).toEqual({});
  });

  it('cannot reach the prototypes of others', () => {
    const given = answer(
      '{"variables":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    );
    expect(Object.keys(given)).toEqual(['__proto__', 'constructor']);
    expect(Object.keys({ ...given })).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(answer('{"__proto__":{"variables":{"a":1}}}')).toEqual({});
  });
});
