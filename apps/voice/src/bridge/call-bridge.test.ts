/** The second leg of a bridge, on fake legs that the test controls. */
import type { CallForVoice } from '@parley/core';
import { BackgroundWork, ManualClock, silentLog } from '@parley/runtime';
import type {
  CallLeg,
  KeysOutcome,
  LegEnd,
  LegEvent,
  MediaPort,
  MediaTick,
  TrunkTargets,
} from '@parley/telephony';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { HangUpRequest } from '../call-end.rules.ts';
import { LiveCalls } from '../live-calls.ts';
import type { BridgeVerdict } from './bridge-record.ts';
import { CallBridge, LONGEST_BRIDGE_MS, type BridgeOutcome, type PersonVerdict } from './call-bridge.ts';

const TARGETS: TrunkTargets = [
  { host: 'sip.carrier.example', port: null, address: '192.0.2.1', addressPort: 5060, source: 'host' },
];
const ANN = '+12025550123';
const FRAME = 160;
const BRIDGE_ID = 900;
const DIALOG = { callId: 'second' } as never;
const TRUNK = {
  id: 1,
  host: '127.0.0.1',
  port: 5060,
  transport: 'udp',
  otherHosts: [],
  username: null,
  authUsername: null,
  password: null,
  isOperators: true,
  rtpTimeoutSeconds: null,
  dtmf: 'auto',
  codecs: [],
  numberFormat: 'e164',
  defaultCountry: null,
  outboundCallerHeader: 'from',
  fromUser: null,
};
const BUSY: LegEnd = { cause: 'busy', sipStatus: 486, detail: '' };
const BYE: LegEnd = { cause: 'remote-hang-up', detail: '' };

/** Records the requests that it receives. */
class FakeLeg {
  readonly played: number[] = [];
  readonly keys: string[] = [];
  hangUps = 0;
  cleared = 0;
  ambience: unknown = 'a loop';
  onTick: ((tick: MediaTick) => void) | null = null;
  readonly #listeners: ((event: LegEvent) => void)[] = [];
  readonly media = {
    frameSamples: FRAME,
    onTick: (listener: (tick: MediaTick) => void) => void (this.onTick = listener),
    play: (_turn: number, samples: Int16Array) => void this.played.push(samples[0] ?? 0),
    clear: () => void this.cleared++,
    setAmbience: (loop: unknown) => void (this.ambience = loop),
  } as unknown as MediaPort;
  onEvent(listener: (event: LegEvent) => void): void {
    this.#listeners.push(listener);
  }
  happen(event: LegEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
  async hangUp(): Promise<void> {
    this.hangUps++;
  }
  async sendDtmf(digits: string): Promise<KeysOutcome> {
    this.keys.push(digits);
    return { isSent: true, method: 'rfc4733' };
  }
}

interface Setup {
  /** The lookup of the trunk's host. */
  findTrunk?: () => Promise<TrunkTargets>;
  verdict?: BridgeVerdict;
  capacity?: number;
}

function setup({
  verdict = { isAllowed: true, bridgeId: BRIDGE_ID, sipCallId: 'call-id' },
  capacity = 2,
  findTrunk = async () => TARGETS,
}: Setup = {}) {
  const clock = new ManualClock();
  const calls = new LiveCalls(capacity);
  calls.add({ callId: 1, state: () => 'talking', hangUp: () => undefined });
  const caller = new FakeLeg();
  const second = new FakeLeg();
  const dialed: unknown[] = [];
  const asked: string[] = [];
  const facts: unknown[] = [];
  const hangUps: HangUpRequest[] = [];
  const giveUp = new AbortController();
  const bridge = new CallBridge({
    background: new BackgroundWork(silentLog),
    clock,
    endpoint: {
      findTrunk,
      dial: (request) => {
        dialed.push(request);
        return second as unknown as CallLeg;
      },
    },
    calls,
    call: { assistantPhoneNumber: '+12025550100', trunk: TRUNK } as unknown as CallForVoice,
    leg: caller,
    record: {
      authorize: async () => {
        asked.push(ANN);
        return verdict;
      },
      dialog: (bridgeId, dialog) => void facts.push({ bridgeId, dialog }),
      notJoined: (bridgeId, reason) => void facts.push({ bridgeId, reason }),
    },
    hangUp: (request) => void hangUps.push(request),
  });
  /** Resolves when the INVITE is sent or the dial was refused. */
  const dial = async () => {
    const outcome = bridge.dial({ phoneNumber: ANN, ringLimitMs: 20_000, signal: giveUp.signal });
    await setImmediate();
    return { outcome };
  };
  const connect = async (): Promise<BridgeOutcome> => {
    const { outcome } = await dial();
    second.happen({ type: 'answered', dialog: DIALOG });
    return outcome;
  };
  return { clock, calls, caller, second, asked, dialed, facts, hangUps, giveUp, bridge, dial, connect };
}

const tick = (level: number): MediaTick =>
  ({ received: new Int16Array(FRAME).fill(level), queuedSamples: 0 }) as MediaTick;

describe('the dial of a second leg', () => {
  it('goes to the number under the stored Call-ID, from the number of the call', async () => {
    const { dial, dialed, calls } = setup();
    await dial();
    expect(dialed).toEqual([
      {
        from: '+12025550100',
        to: ANN,
        sipCallId: 'call-id',
        trunk: {
          acceptsRefer: false,
          otherHosts: [],
          host: '127.0.0.1',
          port: 5060,
          transport: 'udp',
          isTrusted: true,
          dtmf: 'auto',
          writeNumber: expect.any(Function) as unknown,
          callerHeader: 'from',
        },
        targets: TARGETS,
        ringTimeoutMs: 20_000,
      },
    ]);
    expect(calls.size).toBe(2);
  });

  it('asks for its permission after the lookup of the trunk', async () => {
    const found = Promise.withResolvers<TrunkTargets>();
    const { dial, asked, dialed } = setup({ findTrunk: () => found.promise });
    await dial();
    expect(asked).toEqual([]);
    found.resolve(TARGETS);
    await setImmediate();
    expect(asked).toEqual([ANN]);
    expect(dialed).toMatchObject([{ targets: TARGETS }]);
  });

  it('is not made, and needs no permission, if the trunk has no address', async () => {
    const { dial, asked } = setup({ findTrunk: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await (await dial()).outcome).toEqual({ result: 'not-tried', reason: 'unreachable' });
    expect(asked).toEqual([]);
  });

  it('is not made if core refuses', async () => {
    const { dial, dialed } = setup({ verdict: { isAllowed: false, reason: 'trunk_calls' } });
    expect(await (await dial()).outcome).toEqual({ result: 'not-tried', reason: 'trunk_calls' });
    expect(dialed).toEqual([]);
  });

  it.each([
    ['the process has no free slot', { capacity: 1 }, 'voice_capacity', () => undefined],
    ['the caller has hung up', {}, 'given_up', ({ bridge }: ReturnType<typeof setup>) => bridge.end()],
    ['the transfer is aborted', {}, 'given_up', ({ giveUp }: ReturnType<typeof setup>) => giveUp.abort()],
  ] as const)(
    'is not made if %s in the meantime, and the slot is released',
    async (_what, given, reason, happen) => {
      const about = setup(given);
      happen(about);
      expect(await (await about.dial()).outcome).toEqual({ result: 'not-tried', reason });
      expect(about.facts).toEqual([{ bridgeId: BRIDGE_ID, reason }]);
      expect(about.dialed).toEqual([]);
    },
  );

  it.each([
    [BUSY, 486, 'busy'],
    [{ cause: 'no-answer', sipStatus: 487, detail: '' }, 408, 'no_answer'],
    [{ cause: 'rejected', sipStatus: 603, detail: '' }, 603, 'rejected'],
    [{ cause: 'unreachable', detail: '' }, null, 'unreachable'],
  ] satisfies [LegEnd, number | null, string][])(
    'that ends with %o returns that outcome, and the call continues',
    async (end, sipStatus, reason) => {
      const { dial, second, facts, calls, hangUps, bridge } = setup();
      const { outcome } = await dial();
      second.happen({ type: 'ended', end });
      expect(await outcome).toEqual({ result: 'failed', sipStatus });
      expect(facts).toEqual([{ bridgeId: BRIDGE_ID, reason }]);
      expect([calls.size, hangUps, bridge.isConnected]).toEqual([1, [], false]);
    },
  );

  it('is cancelled when the caller hangs up or the transfer is aborted', async () => {
    for (const stop of ['end', 'abort'] as const) {
      const { dial, second, bridge, giveUp } = setup();
      await dial();
      expect(second.hangUps).toBe(0);
      if (stop === 'end') bridge.end();
      else giveUp.abort();
      expect(second.hangUps).toBe(1);
    }
  });
});

describe('a bridge', () => {
  it('stores its dialog at the answer and outlives the conversation that requested it', async () => {
    const { connect, facts, giveUp, second, bridge } = setup();
    expect(await connect()).toEqual({ result: 'transferred', sipStatus: null });
    giveUp.abort();
    expect([facts, second.hangUps, bridge.isConnected]).toEqual([
      [{ bridgeId: BRIDGE_ID, dialog: DIALOG }],
      0,
      true,
    ]);
  });

  it('plays the received audio of each leg on the other and nothing else', async () => {
    const { connect, bridge, caller, second } = setup();
    await connect();
    expect(bridge.isJoined).toBe(false);
    bridge.join();
    expect([bridge.isJoined, caller.cleared, caller.ambience]).toEqual([true, 1, null]);
    bridge.tick(tick(11));
    second.onTick?.(tick(22));
    // The first frame of each direction is the initial silence of the queue.
    expect([caller.played, second.played]).toEqual([
      [0, 22],
      [0, 11],
    ]);
  });

  it('passes DTMF digits on in both directions once the legs are joined', async () => {
    const { connect, bridge, caller, second } = setup();
    await connect();
    second.happen({ type: 'dtmf', digit: '1', durationMs: 160 });
    bridge.join();
    bridge.dtmf('5');
    second.happen({ type: 'dtmf', digit: '#', durationMs: 160 });
    expect([second.keys, caller.keys]).toEqual([['5'], ['#']]);
  });

  it('ends the call when the second leg hangs up, and the second leg when the caller hangs up', async () => {
    const first = setup();
    await first.connect();
    first.second.happen({ type: 'ended', end: BYE });
    expect(first.hangUps).toEqual([{ by: 'transfer', reason: 'call_transfer' }]);
    expect([first.calls.size, first.facts]).toEqual([1, [{ bridgeId: BRIDGE_ID, dialog: DIALOG }]]);
    const other = setup();
    await other.connect();
    other.bridge.end();
    expect(other.second.hangUps).toBe(1);
  });

  it('ends after four hours', async () => {
    const { connect, clock, hangUps } = setup();
    await connect();
    clock.advance(LONGEST_BRIDGE_MS - 1);
    expect(hangUps).toEqual([]);
    clock.advance(1);
    expect(hangUps).toEqual([{ by: 'limit', reason: 'duration_limit' }]);
  });

  it('ends with all other calls of the process', async () => {
    const { connect, calls, second } = setup();
    await connect();
    calls.hangUpAll({ by: 'system', reason: 'shutdown' });
    expect(second.hangUps).toBe(1);
  });
});

describe('a person who is asked first', () => {
  /** Dials, and answers at the far end. */
  async function asking() {
    const about = setup();
    const { bridge, second, giveUp } = about;
    const verdict = Promise.withResolvers<PersonVerdict>();
    const heard: string[] = [];
    const outcome = bridge.dial({
      phoneNumber: ANN,
      ringLimitMs: 20_000,
      signal: giveUp.signal,
      ask: () => ({
        verdict: verdict.promise,
        answered: () => void heard.push('answered'),
        dtmf: (digit) => void heard.push(`key ${digit}`),
        hold: (isHeld) => void heard.push(`held ${isHeld}`),
        end: () => void heard.push('end'),
      }),
    });
    await setImmediate();
    const answer = (): void => second.happen({ type: 'answered', dialog: DIALOG });
    return { ...about, outcome, answer, heard, decide: verdict.resolve };
  }

  it('is connected only when they accept', async () => {
    const { outcome, answer, heard, decide, second, bridge, hangUps } = await asking();
    answer();
    second.happen({ type: 'held', isHeld: true });
    second.happen({ type: 'dtmf', digit: '1', durationMs: 160 });
    expect([bridge.isConnected, heard]).toEqual([false, ['answered', 'held true', 'key 1']]);
    decide('accepted');
    expect(await outcome).toEqual({ result: 'transferred', sipStatus: null });
    expect([bridge.isConnected, hangUps, second.hangUps]).toEqual([true, [], 0]);
    second.happen({ type: 'ended', end: BYE });
    expect(hangUps).toEqual([{ by: 'transfer', reason: 'call_transfer' }]);
  });

  it.each(['declined', 'machine', 'no_decision', 'failed'] as const)(
    'and %s is hung up; the call goes on, and the row stays until the leg has ended',
    async (verdict) => {
      const { outcome, answer, decide, second, bridge, facts, hangUps } = await asking();
      answer();
      decide(verdict);
      expect(await outcome).toEqual({ result: 'not-accepted', verdict });
      expect([second.hangUps, facts.length]).toEqual([1, 1]);
      second.happen({ type: 'ended', end: { cause: 'local-hang-up', detail: '' } });
      expect(facts.at(-1)).toEqual({ bridgeId: BRIDGE_ID, reason: verdict });
      expect([bridge.isConnected, hangUps]).toEqual([false, []]);
    },
  );

  it('and hangs up has not accepted, whatever is decided later', async () => {
    const { outcome, answer, decide, second, bridge, facts, heard } = await asking();
    answer();
    second.happen({ type: 'ended', end: BYE });
    decide('accepted');
    expect(await outcome).toEqual({ result: 'not-accepted', verdict: 'hung_up' });
    expect(facts.at(-1)).toEqual({ bridgeId: BRIDGE_ID, reason: 'remote_hang_up' });
    expect([bridge.isConnected, heard.at(-1)]).toEqual([false, 'end']);
  });

  it('and does not answer is not asked', async () => {
    const { outcome, second, heard, facts } = await asking();
    second.happen({ type: 'ended', end: BUSY });
    expect(await outcome).toEqual({ result: 'failed', sipStatus: 486 });
    expect([heard, facts]).toEqual([['end'], [{ bridgeId: BRIDGE_ID, reason: 'busy' }]]);
  });

  it('is hung up when the caller hangs up or the transfer takes too long, and cannot accept any more', async () => {
    for (const stop of ['end', 'abort'] as const) {
      const { answer, decide, bridge, giveUp, second } = await asking();
      answer();
      if (stop === 'end') bridge.end();
      else giveUp.abort();
      expect(second.hangUps).toBe(1);
      second.happen({ type: 'ended', end: { cause: 'local-hang-up', detail: '' } });
      decide('accepted');
      await setImmediate();
      expect(bridge.isConnected).toBe(false);
    }
  });
});
