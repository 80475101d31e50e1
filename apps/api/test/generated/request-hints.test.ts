/** Cases that random seeds found: generated requests that should be valid and were refused. */
import { expect, test } from 'vitest';
import { contractRoutes } from './contract-routes.ts';
import { settled } from './request-hints.ts';

test.each(['assistants.create', 'assistants.update'])(
  '%s: the address of an MCP server holds no variables, that of a web service may',
  (name) => {
    const route = contractRoutes.find((one) => one.name === name);
    if (!route) throw new Error(`The contract has no ${name}`);
    const url = 'https://example.com/orders/{{number}}';
    const urlOf = (type: string): unknown => settled(route, { tools: [{ type, url }] })['tools'];
    expect(urlOf('mcp')).toEqual([{ type: 'mcp', url: 'https://example.com/orders/1' }]);
    expect(urlOf('http_request')).toEqual([{ type: 'http_request', url }]);
  },
);
