/** Transfers of a call whose model obeys every instruction (R46): only listed numbers are dialed. */
import type { TransferOutcome } from '@parley/telephony';
import type { TransferAuthorization } from '@parley/core';
import type { BridgeDial, BridgeOutcome } from '../bridge/call-bridge.ts';
import { describe, expect, it } from 'vitest';
import { CallTransfer } from './transfer-call.ts';
import { describeTransfer, type TransferTool } from './transfer-description.rules.ts';

const ANN = '+12025550123';
const TOOL: TransferTool = {
  type: 'call_transfer',
  description: null,
  destinations: [
    { name: 'Ann', phoneNumber: ANN },
    { name: 'Bo', phoneNumber: '+12025550124' },
  ],
  ringTimeoutSeconds: 20,
};

interface Setup {
  outcome?: TransferOutcome;
  bridged?: BridgeOutcome;
  verdict?: TransferAuthorization;
}

function setup({
  outcome = { result: 'transferred', sipStatus: 200 },
  verdict = { isAllowed: true },
  bridged = { result: 'transferred', sipStatus: null },
}: Setup = {}) {
  const asked: string[] = [];
  const rung: string[] = [];
  const dialed: BridgeDial[] = [];
  const transfer = new CallTransfer({
    authorize: async (number) => {
      asked.push(number);
      return verdict;
    },
    leg: {
      transfer: async (number) => {
        rung.push(number);
        return outcome;
      },
    },
    bridge: {
      dial: async (wish) => {
        dialed.push(wish);
        return bridged;
      },
    },
  });
  const { signal } = new AbortController();
  const run = (given: Record<string, unknown>) => transfer.run(TOOL, given, signal);
  return { asked, rung, dialed, signal, run };
}

describe('a transfer', () => {
  it('dials the number behind the name, after core has authorised it', async () => {
    const { run, asked, rung } = setup();
    expect(await run({ destination: 'Ann' })).toMatchObject({ isOk: true, isTransferred: true });
    expect([asked, rung]).toEqual([[ANN], [ANN]]);
  });

  it.each([
    ['a number', { destination: '+12025550199' }],
    ['a listed number itself', { destination: ANN }],
    ['an unknown name', { destination: 'Mallory' }],
    ['the name of an inherited property', { destination: 'constructor' }],
    ['an omitted destination', {}],
    ['a number in an extra field', { phone_number: '+12025550199', destination: 'ann' }],
  ])('to %s dials no number', async (_what, given) => {
    const { run, asked, rung } = setup();
    expect(await run(given)).toEqual({ isOk: false, text: 'This number is not in the list.' });
    expect([asked, rung]).toEqual([[], []]);
  });

  it('that core refuses is not made, and the model receives the reason', async () => {
    const { run, rung } = setup({ verdict: { isAllowed: false, reason: 'do_not_call' } });
    expect(await run({ destination: 'Ann' })).toEqual({
      isOk: false,
      text: 'This number must not be called.',
    });
    expect(rung).toEqual([]);
  });

  it.each([
    [{ result: 'failed', sipStatus: 486 }, 'The number is busy.'],
    [{ result: 'failed', sipStatus: 480 }, 'The destination did not answer.'],
    [{ result: 'failed', sipStatus: 603 }, 'The call was declined.'],
    [{ result: 'failed', sipStatus: 404 }, 'The number could not be reached.'],
  ] as const)('that comes to %o goes on with the reason, and may be tried again', async (outcome, text) => {
    const { run, rung, dialed } = setup({ outcome });
    expect(await run({ destination: 'Ann' })).toEqual({ isOk: false, text });
    await run({ destination: 'Ann' });
    expect(rung).toHaveLength(2);
    expect(dialed).toEqual([]);
  });

  it('with an unknown outcome is not tried again', async () => {
    const { run, rung } = setup({ outcome: { result: 'unknown', sipStatus: null } });
    await run({ destination: 'Ann' });
    expect(await run({ destination: 'Ann' })).toMatchObject({ isOk: false });
    await run({ destination: 'Bo' });
    expect(rung).toEqual([ANN, '+12025550124']);
  });

  it('is refused while another one runs, so that only one telephone rings', async () => {
    const { run, rung } = setup();
    const both = await Promise.all([run({ destination: 'Ann' }), run({ destination: 'Bo' })]);
    expect(both.map(({ isOk }) => isOk)).toEqual([true, false]);
    expect(rung).toEqual([ANN]);
  });
});

describe('a transfer that the far end refuses', () => {
  const REFUSED: TransferOutcome = { result: 'refused', sipStatus: 405 };

  it('is bridged by this process, to the same number', async () => {
    const { run, dialed, signal } = setup({ outcome: REFUSED });
    expect(await run({ destination: 'Ann' })).toMatchObject({ isOk: true, isTransferred: true });
    expect(dialed).toEqual([{ phoneNumber: ANN, ringLimitMs: 20_000, signal }]);
  });

  it.each([
    [{ result: 'failed', sipStatus: 486 }, 'The number is busy.'],
    [{ result: 'failed', sipStatus: 408 }, 'The destination did not answer.'],
    [{ result: 'failed', sipStatus: null }, 'The number could not be reached.'],
    [{ result: 'not-tried', reason: 'trunk_calls' }, 'No line is free for it at the moment.'],
    [{ result: 'not-tried', reason: 'do_not_call' }, 'This number must not be called.'],
  ] as const)('and ends with %o continues with the reason and may be tried again', async (bridged, text) => {
    const { run, dialed } = setup({ outcome: REFUSED, bridged });
    expect(await run({ destination: 'Ann' })).toEqual({ isOk: false, text });
    await run({ destination: 'Ann' });
    expect(dialed).toHaveLength(2);
  });
});

it('the model sees names but no numbers', () => {
  const words = describeTransfer(TOOL);
  expect(words).toMatchObject({ parameters: { properties: { destination: { enum: ['Ann', 'Bo'] } } } });
  expect(JSON.stringify(words)).not.toContain('555');
});
