import { describe, expect, it } from 'vitest';
import type { AgentAction } from '../src/call/agent-actions.ts';
import { at, LossyNetwork } from './lossy-network.ts';

const CALLS = 60;
/** Two minutes cover every repetition of call, answer and hang-up; 40 s more clear the last transaction. */
const WHOLE_MS = 200_000;

/** Alice calls Bob; Bob rings (reliably, if asked) and answers; half the calls Alice hangs up, half Bob. */
function setup({ loss, seed, isReliable = false }: { loss: number; seed: number; isReliable?: boolean }) {
  const network = new LossyNetwork({ seed, loss, delayMs: [5, 200] });
  const alice = network.add('10.0.0.1');
  const bob = network.add('10.0.0.2');
  const seen = { answered: 0, ended: [] as string[], faults: 0 };
  network.onAction = (host, action: AgentAction) => {
    const agent = host === '10.0.0.1' ? alice : bob;
    if (action.type === 'fault') seen.faults += 1;
    if (action.type === 'incoming') {
      bob.ring(action.call, network.nowMs);
      bob.answer(action.call, { host, port: 40_000 }, network.nowMs);
    }
    if (action.type !== 'call') return;
    if (action.event.type === 'answered') {
      seen.answered += 1;
      const isAlicesTurn = Number(action.event.dialog.callId.split('-')[1]) % 2 === 0;
      const hangUp = () => agent.hangUp(action.call, network.nowMs);
      if (isAlicesTurn === (host === '10.0.0.1')) network.later(2000, hangUp);
    }
    if (action.event.type === 'ended') seen.ended.push(`${host} ${action.event.end.by}`);
  };
  const call = (index: number) =>
    alice.invite(
      {
        callId: `call-${index}`,
        from: { uri: 'sip:+12025550100@10.0.0.1' },
        toUri: 'sip:+12025550101@10.0.0.2',
        destination: at('10.0.0.2'),
        media: { host: '10.0.0.1', port: 41_000 },
        ...(isReliable ? { headers: [{ name: 'Require', value: '100rel' }] } : {}),
      },
      network.nowMs,
    );
  return { network, alice, bob, seen, call };
}

describe('calls over a network that loses and reorders datagrams', () => {
  it.each([
    { loss: 0, seed: 1 },
    { loss: 0.1, seed: 7 },
    { loss: 0.3, seed: 11 },
    { loss: 0.3, seed: 13, isReliable: true },
  ])('completes all 60 calls with %j and leaves no state behind', (options) => {
    const { network, alice, bob, seen, call } = setup(options);
    for (let index = 0; index < CALLS; index += 1) {
      call(index);
      network.run(50);
    }
    network.run(WHOLE_MS);
    expect(seen.answered).toBe(2 * CALLS);
    expect(seen.ended).toHaveLength(2 * CALLS);
    expect(seen.ended.filter((end) => !/(local|remote)-bye$/.test(end))).toEqual([]);
    expect(seen.faults).toBe(0);
    for (const agent of [alice, bob]) {
      expect(agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0, faults: 0 });
      expect(agent.nextWakeAtMs).toBeNull();
    }
  });
});
