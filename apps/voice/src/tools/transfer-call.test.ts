/** Transfers of a call whose model obeys every instruction (R46): only listed numbers are dialed. */
import type { CallLeg, TransferOutcome } from '@parley/telephony';
import type { TransferAuthorization } from '@parley/core';
import type { BridgeDial, BridgeOutcome, PersonQuestion } from '../bridge/call-bridge.ts';
import { describe, expect, it } from 'vitest';
import { CallTransfer, type TransferWish } from './transfer-call.ts';
import {
  describeTransfer,
  describeWarmTransfer,
  type TransferTool,
  type WarmTransferTool,
} from './transfer-description.rules.ts';

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
  const held: (string | null)[] = [];
  const questions: string[] = [];
  const ask: TransferWish['ask'] = (_person, { announcement }) => {
    questions.push(announcement);
    return {} as PersonQuestion;
  };
  const transfer = new CallTransfer({
    onChange: () => undefined,
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
        wish.ask?.({} as CallLeg);
        return bridged;
      },
    },
    hold: (sound) => void held.push(sound),
  });
  const { signal } = new AbortController();
  const run = (given: Record<string, unknown>, tool: TransferWish['tool'] = TOOL) =>
    transfer.run({ tool, given, variables: { name: 'Ada' }, ask }, signal);
  return { held, questions, asked, rung, dialed, signal, run };
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

const WARM: WarmTransferTool = {
  ...TOOL,
  type: 'warm_call_transfer',
  announcement: 'Here is the assistant of {{name}}.\n{{summary}} Press 1.',
  acceptKey: '1',
  acceptWords: ['yes'],
  declineWords: ['no'],
  acceptTimeoutSeconds: 30,
  holdSound: 'music',
  unavailableMessage: null,
};
const ASKED = { destination: 'Ann', summary: 'Somebody wants {{everything}}.' };

describe('a warm transfer', () => {
  it('dials without REFER and asks with variables and summary, while the caller waits', async () => {
    const { run, rung, asked, dialed, held, questions } = setup();
    expect(await run(ASKED, WARM)).toMatchObject({ isOk: true, isTransferred: true });
    expect([rung, asked]).toEqual([[], []]);
    expect(dialed).toMatchObject([{ phoneNumber: ANN, ringLimitMs: 20_000 }]);
    expect(questions).toEqual(['Here is the assistant of Ada. Somebody wants everything . Press 1.']);
    expect(held).toEqual(['music', null]);
  });

  it.each([
    [{ result: 'not-accepted', verdict: 'declined' }, /does not take the call/],
    [{ result: 'not-accepted', verdict: 'machine' }, /answering machine/],
    [{ result: 'not-accepted', verdict: 'no_decision' }, /nobody accepted/],
    [{ result: 'not-accepted', verdict: 'hung_up' }, /hung up without/],
    [{ result: 'not-accepted', verdict: 'failed' }, /could not be asked/],
    [{ result: 'failed', sipStatus: 486 }, /busy/],
    [{ result: 'failed', sipStatus: 408 }, /did not answer/],
    [{ result: 'not-tried', reason: 'do_not_call' }, /must not be called/],
  ] satisfies [BridgeOutcome, RegExp][])(
    'that ends with %o comes back to the caller',
    async (bridged, text) => {
      const { run, held } = setup({ bridged });
      const answer = await run(ASKED, WARM);
      expect(answer).toMatchObject({ isOk: false, text: expect.stringMatching(text) as string });
      expect([answer.words, held.at(-1)]).toEqual(['', null]);
    },
  );

  it("says the owner's words to the caller and tells the model about them", async () => {
    const { run } = setup({ bridged: { result: 'not-accepted', verdict: 'declined' } });
    const tool = { ...WARM, unavailableMessage: 'Sorry, {{name}}.' };
    const answer = await run(ASKED, tool);
    expect(answer.words).toBe('Sorry, Ada.');
    expect(answer.text).toContain('"Sorry, Ada."');
  });

  it('asks the model for a summary only where the announcement has a place for it', () => {
    expect(describeWarmTransfer(WARM)).toMatchObject({
      parameters: { required: ['destination', 'summary'] },
    });
    const plain = describeWarmTransfer({ ...WARM, announcement: 'A call. Press 1.' });
    expect(plain).toMatchObject({ parameters: { required: ['destination'] } });
  });
});
