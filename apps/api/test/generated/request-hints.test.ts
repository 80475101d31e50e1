/** Cases that random seeds found: generated requests that should be valid and were refused. */
import { expect, test } from 'vitest';
import { contractRoutes, type ContractRoute } from './contract-routes.ts';
import { mayAnswer, settled } from './request-hints.ts';

test.each(['assistants.create', 'assistants.update'])(
  '%s: the address of an MCP server holds no variables, that of a web service may',
  (name) => {
    const route = routeNamed(name);
    const url = 'https://example.com/orders/{{number}}';
    const urlOf = (type: string): unknown => settled(route, { tools: [{ type, url }] })['tools'];
    expect(urlOf('mcp')).toEqual([{ type: 'mcp', url: 'https://example.com/orders/1' }]);
    expect(urlOf('http_request')).toEqual([{ type: 'http_request', url }]);
  },
);

test.each(['assistants.create', 'assistants.update'])(
  '%s: the destinations of a transfer have distinct names',
  (name) => {
    const destinations = ['+12025550101', '+12025550102'].map((number) => ({ name: '!', number }));
    const tool = { type: 'call_transfer', destinations, accept_words: ['A', 'a'], decline_words: ['a'] };
    const settledBody = settled(routeNamed(name), { tools: [tool] });
    expect(settledBody['tools']).toEqual([
      {
        type: 'call_transfer',
        destinations: destinations.slice(0, 1),
        accept_words: ['yes', 'gladly'],
        decline_words: ['no'],
      },
    ]);
  },
);

test.each(['suites.create', 'suites.update'])('%s: a definition has at most 1 MiB', (name) => {
  const definition = '😀'.repeat(1024 * 1024);
  expect(settled(routeNamed(name), { definition })['definition']).toMatch(/^assistant: 1\n/);
});

test('phoneNumbers.setRoute: a queue of a number is smaller than the limit of a trunk', () => {
  const queue = { max_calls: 10_000, text: 'Please wait.' };
  expect(settled(routeNamed('phoneNumbers.setRoute'), { queue })['queue']).toMatchObject({ max_calls: 2 });
});

test('a valid request may be refused for the maximum of an account, and not for another reason', () => {
  const route = routeNamed('knowledgebases.create');
  const refusedFor = (text: string) => mayAnswer(route, { status: 422, text });
  expect(refusedFor('{"errors":{"name":["An account has at most 50 knowledge bases."]}}')).toBe(true);
  expect(refusedFor('{"errors":{"name":["The name field is required."]}}')).toBe(false);
});

function routeNamed(name: string): ContractRoute {
  const route = contractRoutes.find((one) => one.name === name);
  if (!route) throw new Error(`The contract has no ${name}`);
  return route;
}
