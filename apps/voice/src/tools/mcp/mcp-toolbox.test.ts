import type { AssistantForVoice, CallForVoice } from '@parley/core';
import { ManualClock, silentLog, systemClock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { afterEach, describe, expect, it } from 'vitest';
import { McpSimulator, WEATHER, type McpSimulatorOptions } from '../../../test/mcp-simulator.ts';
import type { VoiceContext } from '../../voice-context.ts';
import { McpToolbox, openServers } from './mcp-toolbox.ts';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});
const alive = new AbortController().signal;

interface Setup extends McpSimulatorOptions {
  allowed?: string[];
  allowPrivate?: 'loopback' | 'none';
}

async function setup({ allowed = ['get_weather'], allowPrivate = 'loopback', ...options }: Setup) {
  const server = new McpSimulator(options);
  await server.start();
  const http = createGuardedClient({ clock: systemClock, allowPrivate });
  undo.push(
    () => http.close(),
    () => server.stop(),
  );
  const clock = new ManualClock();
  const toolbox = new McpToolbox({ http, clock, log: silentLog });
  const headers = [
    { name: 'Authorization', value: 'Bearer secret' },
    { name: 'Mcp-Method', value: 'of the owner' },
  ];
  // The toolbox reads only the tools of an assistant.
  const speaker = {
    tools: [{ type: 'mcp', name: 'town', url: server.url, headers, allowedTools: allowed }],
  } as unknown as AssistantForVoice;
  const call = (name: string) => toolbox.run(speaker, { name, arguments: { city: 'Rome' } }, alive);
  return { server, clock, toolbox, speaker, call };
}

describe.each(['modern', 'legacy'] as const)('a server of the %s era', (era) => {
  it.each([false, true])(
    'is asked for its tools and uses one; answers as events: %s',
    async (isStreaming) => {
      const { toolbox, speaker, call, server, clock } = await setup({ era, isStreaming });
      await toolbox.open([speaker]);
      expect(toolbox.toolsOf(speaker)).toEqual([
        {
          type: 'run',
          name: 'town__get_weather',
          description: 'Weather of a city, { {secret}}.',
          parameters: WEATHER.inputSchema,
        },
      ]);
      expect(await call('town__get_weather')).toEqual({ isOk: true, text: 'called with {"city":"Rome"}' });
      expect(server.received.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
      expect(clock.pendingTimers()).toBe(0);
    },
  );

  it('with a paginated list returns all tools', async () => {
    const tools = ['a', 'b', 'c'].map((name) => ({ ...WEATHER, name }));
    const { toolbox, speaker } = await setup({ era, tools, pageSize: 1, allowed: ['a', 'c'] });
    await toolbox.open([speaker]);
    expect(toolbox.toolsOf(speaker).map((tool) => 'name' in tool && tool.name)).toEqual([
      'town__a',
      'town__c',
    ]);
  });

  it.each([
    ['answers nonsense', { method: 'tools/list', kind: 'wrong-json' }],
    ['reports an error', { method: 'tools/list', kind: 'refuse' }],
  ] as const)('that %s gives none', async (_what, fault) => {
    const { toolbox, speaker } = await setup({ era, fault });
    await toolbox.open([speaker]);
    expect(toolbox.toolsOf(speaker)).toEqual([]);
  });

  it('that does not respond delays the call by at most three seconds', async () => {
    const { toolbox, speaker, clock, server } = await setup({
      era,
      fault: { method: 'tools/list', kind: 'stall' },
    });
    const opened = toolbox.open([speaker]);
    await expect.poll(() => server.methods().at(-1)).toBe('tools/list');
    clock.advance(3000);
    await opened;
    expect(toolbox.toolsOf(speaker)).toEqual([]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that fails when a tool is used returns the reason', async () => {
    const { toolbox, speaker, call } = await setup({ era, fault: { method: 'tools/call', kind: 'refuse' } });
    await toolbox.open([speaker]);
    expect(await call('town__get_weather')).toEqual({ isOk: false, text: 'Unknown tool' });
  });
});

describe('sessions', () => {
  it('are opened, named in every request, and ended with the call', async () => {
    const { toolbox, speaker, server } = await setup({ era: 'legacy' });
    await toolbox.open([speaker]);
    await toolbox.close();
    await expect.poll(() => server.methods()).toHaveLength(5);
    expect(server.methods()).toEqual([
      'tools/list',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'DELETE',
    ]);
    expect(server.received.slice(2).map(({ headers }) => headers['mcp-session-id'])).toEqual(
      Array.from({ length: 3 }, () => 'session-1'),
    );
    expect(server.received.at(3)?.headers['mcp-protocol-version']).toBe('2025-06-18');
  });

  it('that a server has dropped are opened again, and the tool is used once', async () => {
    const { toolbox, speaker, call, server } = await setup({
      era: 'legacy',
      fault: { method: 'tools/call', kind: 'forget-session' },
    });
    await toolbox.open([speaker]);
    expect(await call('town__get_weather')).toMatchObject({ isOk: true });
    expect(server.methods().slice(4)).toEqual([
      'tools/call',
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
  });

  it('are never requested from a modern server', async () => {
    const { toolbox, speaker, server } = await setup({ era: 'modern' });
    await toolbox.open([speaker]);
    await toolbox.close();
    expect(server.methods()).toEqual(['tools/list']);
  });
});

describe('what a server offers beyond what the owner allowed', () => {
  it.each([
    ['another tool', { ...WEATHER, name: 'delete_all' }],
    ['a tool without a form', { name: 'get_weather' }],
    ['an invalid form', { name: 'get_weather', inputSchema: { type: 'string' } }],
    [
      'a form that is too large',
      { name: 'get_weather', inputSchema: { type: 'object', x: 'x'.repeat(20_000) } },
    ],
    [
      'a parameter that is to be a header',
      { name: 'get_weather', inputSchema: { type: 'object', properties: { a: { 'x-mcp-header': 'A' } } } },
    ],
    ['a name that is too long', { ...WEATHER, name: 'x'.repeat(100) }],
  ])('is left out: %s', async (_what, tool) => {
    const { toolbox, speaker, call, server } = await setup({
      era: 'modern',
      tools: [tool],
      allowed: ['get_weather', 'x'.repeat(100)],
    });
    await toolbox.open([speaker]);
    expect(toolbox.toolsOf(speaker)).toEqual([]);
    expect(await call(`town__${tool.name}`)).toBeNull();
    expect(server.methods()).toEqual(['tools/list']);
  });

  it('is not the tool of another assistant either', async () => {
    const { toolbox, speaker } = await setup({ era: 'modern' });
    await toolbox.open([speaker]);
    const other = { tools: [] } as unknown as AssistantForVoice;
    const request = { name: 'town__get_weather', arguments: {} };
    expect(await toolbox.run(other, request, alive)).toBeNull();
  });

  it.each([true, false])(
    'a server on this machine is reached for operators only: %s',
    async (isOperators) => {
      const { speaker, server } = await setup({ era: 'modern' });
      const http = createGuardedClient({ clock: systemClock, allowPrivate: 'loopback' });
      undo.push(() => http.close());
      const voice = { http, core: { clock: systemClock, log: silentLog } } as unknown as VoiceContext;
      const call = { ...speaker, others: [], isOperators } as unknown as CallForVoice;
      await openServers(voice, call);
      expect(server.received.length > 0).toBe(isOperators);
    },
  );

  it('a server in the private network is refused', async () => {
    const { toolbox, speaker, server } = await setup({ era: 'modern', allowPrivate: 'none' });
    await toolbox.open([speaker]);
    expect(toolbox.toolsOf(speaker)).toEqual([]);
    expect(server.received).toEqual([]);
  });
});
