import { assistantTool, type WrittenTool } from '@parley/contracts';
import { expect, it } from 'vitest';
import { createSecretBox } from '../shared/secret-box.ts';
import { openTools, sealTools, toolRecord } from './assistant-tools.ts';

const box = createSecretBox('a key of this test that is long enough');
type HttpTool = Extract<WrittenTool, { type: 'http_request' }>;

function lookUp(changes: Partial<HttpTool> = {}): HttpTool {
  return {
    type: 'http_request',
    name: 'look_up',
    description: 'Looks it up.',
    url: 'https://hours.example/{{place}}',
    method: 'GET',
    headers: [{ name: 'Authorization', value: 'Bearer secret' }],
    parameters: { type: 'object' },
    timeout_seconds: 5,
    ...changes,
  };
}

it('keeps header values sealed, opens them for a call and never shows them', () => {
  const { tools, faults } = sealTools(box, [lookUp(), { type: 'end_call' }], []);
  expect(faults).toEqual({});
  expect(JSON.stringify(tools)).not.toContain('secret');
  expect(tools.map(toolRecord).map((tool) => assistantTool.parse(tool))).toMatchObject([
    { type: 'http_request', data: { headers: [{ name: 'Authorization', has_value: true }] } },
    { type: 'end_call', data: {} },
  ]);
  expect(openTools(box, tools)).toMatchObject([
    { name: 'look_up', timeoutSeconds: 5, headers: [{ name: 'Authorization', value: 'Bearer secret' }] },
    { type: 'end_call', description: null },
  ]);
});

it.each<[string, Partial<HttpTool>, boolean]>([
  ['as it was read', {}, true],
  ['with another path', { url: 'https://hours.example/other' }, true],
  ['with the name in other letters', { headers: [{ name: 'AUTHORIZATION' }] }, true],
  ['with another host', { url: 'https://thief.example/{{place}}' }, false],
  ['without TLS', { url: 'http://hours.example/{{place}}' }, false],
  ['under another name', { name: 'other' }, false],
  ['with another header', { headers: [{ name: 'X-Key' }] }, false],
])('a tool that is written back %s keeps its secret only where it belongs', (_how, changes, isKept) => {
  const { tools: stored } = sealTools(box, [lookUp()], []);
  const written = lookUp({ headers: [{ name: 'Authorization' }], ...changes });
  const { tools, faults } = sealTools(box, [written], stored);
  const text = 'The tools.0.headers.0.value field is required.';
  expect(faults).toEqual(isKept ? {} : { 'tools.0.headers.0.value': [text] });
  expect(JSON.stringify(openTools(box, tools)).includes('Bearer secret')).toBe(isKept);
});

it('keeps the secrets of a server of tools sealed too', () => {
  const mcp: WrittenTool = {
    type: 'mcp',
    name: 'town',
    url: 'https://mcp.example/',
    headers: [{ name: 'Authorization', value: 'Bearer secret' }],
    allowed_tools: ['get_weather'],
  };
  const { tools } = sealTools(box, [mcp], []);
  expect(JSON.stringify(tools)).not.toContain('secret');
  expect(tools.map(toolRecord).map((tool) => assistantTool.parse(tool))).toMatchObject([
    { type: 'mcp', data: { headers: [{ name: 'Authorization', has_value: true }] } },
  ]);
  const kept = sealTools(box, [{ ...mcp, headers: [{ name: 'Authorization' }] }], tools);
  expect(openTools(box, kept.tools)).toMatchObject([{ headers: [{ value: 'Bearer secret' }] }]);
  const moved = { ...mcp, url: 'https://evil.example/', headers: [{ name: 'Authorization' }] };
  expect(Object.keys(sealTools(box, [moved], tools).faults)).toEqual(['tools.0.headers.0.value']);
});
