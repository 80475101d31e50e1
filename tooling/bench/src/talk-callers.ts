/** The telephone of all callers of `bench:talk`, and what became of their calls on record. */
import { randomUUID } from 'node:crypto';
import { pause, silentLog, systemClock } from '@parley/runtime';
import { createSipEndpoint, type CallLeg, type SipEndpoint } from '@parley/telephony';
import type { Client } from 'pg';
import type { StoredTurn } from './talk-record.rules.ts';
import { NUMBERS, RING_MS, type Role } from './talk-script.rules.ts';
import type { CallTracks } from './talk-tracks.rules.ts';
import { Wires, type WireUser } from './talk-wire.ts';
import { exitWith } from './exit-with.ts';

/** A call with both its tracks and what the product says of it. */
export interface FinishedCall {
  role: Role;
  /** The number of the caller, or of the person who was called. */
  number: string;
  tracks: CallTracks;
  stored: StoredTurn[];
  /** Drafts, and how many of them were discarded. */
  drafts: { made: number; discarded: number };
}

/** One person on the telephone. */
export interface CallerOnWire extends WireUser {
  /** The call was answered. */
  answered(nowMs: number): void;
  /** From now on the caller only listens. */
  finish(): void;
  /** Either side has ended the call. */
  ended(nowMs: number): void;
  tracks(): CallTracks;
}

/** Makes the person of a call. */
export type NewCaller = (role: Role, number: string) => CallerOnWire;

interface CallersOptions {
  sql: Client;
  sipPort: number;
  newCaller: NewCaller;
  first?: number;
}

interface Connection {
  role: Role;
  number: string;
  caller: CallerOnWire;
  leg: CallLeg;
  answered: Promise<void>;
  ended: Promise<void>;
}

/** Between two calls that begin, milliseconds. */
const APART_MS = 40;
const RING_LIMIT_MS = 30_000;
/** How long the end of a call may take to be stored, milliseconds. */
const RECORD_LIMIT_MS = 20_000;

/** All simulated callers and callees. */
export class Callers {
  readonly wires = new Wires();
  readonly #sql: Client;
  readonly #sipPort: number;
  readonly #newCaller: NewCaller;
  readonly #line: SipEndpoint;
  #connections: Connection[] = [];
  #count: number;

  /** @param options - `first`: the number of the first caller, 0 unless given */
  constructor({ sql, sipPort, newCaller, first = 0 }: CallersOptions) {
    this.#count = first;
    this.#sql = sql;
    this.#sipPort = sipPort;
    this.#newCaller = newCaller;
    this.#line = createSipEndpoint({
      clock: systemClock,
      log: silentLog,
      listen: { host: '127.0.0.1', port: 0 },
      media: this.wires,
      userAgent: 'Parley-Bench',
    });
    this.#line.onIncoming((leg) => {
      this.#pickUp(leg).catch(exitWith);
    });
  }

  /** Where those who are called can be reached. */
  get port(): number {
    return this.#line.address().port;
  }

  async start(): Promise<void> {
    await this.#line.start();
    this.wires.start();
  }

  async stop(): Promise<void> {
    await this.#line.stop();
    this.wires.stop();
  }

  /** Calls, one after the other. Resolves when all have been answered. */
  async call(roles: readonly Exclude<Role, 'called'>[]): Promise<void> {
    for (const role of roles) {
      this.#dial(role);
      await pause(systemClock, APART_MS);
    }
    await Promise.all(this.#connections.map(({ answered }) => answered));
  }

  /** Resolves when the given number of called callers have answered. */
  async calledAre(count: number): Promise<void> {
    while (this.#connections.length < count) await pause(systemClock, APART_MS);
    await Promise.all(this.#connections.map(({ answered }) => answered));
  }

  /** The next unused number. */
  nextNumber(): string {
    return `+1303555${String(this.#count++).padStart(4, '0')}`;
  }

  /** Ends all calls. Resolves when they are on record. */
  async hangUp(): Promise<FinishedCall[]> {
    const connections = this.#connections;
    this.#connections = [];
    for (const { caller, leg } of connections) {
      caller.finish();
      leg.hangUp().catch(exitWith);
    }
    await Promise.all(connections.map(({ ended }) => ended));
    const finished: FinishedCall[] = [];
    for (const { role, number, caller } of connections)
      finished.push({ role, number, tracks: caller.tracks(), ...(await onRecord(this.#sql, number)) });
    return finished;
  }

  #dial(role: Exclude<Role, 'called'>): void {
    const number = this.nextNumber();
    const caller = this.#newCaller(role, number);
    const trunk = { host: '127.0.0.1', port: this.#sipPort, transport: 'udp' as const };
    const request = { from: number, to: NUMBERS[role], sipCallId: randomUUID(), trunk };
    this.wires.expect(caller);
    const leg = this.#line.dial({ ...request, ringTimeoutMs: RING_LIMIT_MS });
    this.#connections.push(connect({ role, number, caller, leg }));
  }

  async #pickUp(leg: CallLeg): Promise<void> {
    const caller = this.#newCaller('called', leg.to);
    this.#connections.push(connect({ role: 'called', number: leg.to, caller, leg }));
    leg.ring();
    await pause(systemClock, RING_MS);
    this.wires.expect(caller);
    await leg.answer();
  }
}

function connect(call: Omit<Connection, 'answered' | 'ended'>): Connection {
  const answered = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  // Resolves the promise of the answer, if it is awaited.
  answered.promise.catch(() => undefined);
  call.leg.onEvent((event) => {
    if (event.type === 'answered') {
      call.caller.answered(systemClock.monotonic());
      answered.resolve();
    }
    if (event.type !== 'ended') return;
    call.caller.ended(systemClock.monotonic());
    answered.reject(new Error(`A call was not answered: ${event.end.detail}`));
    ended.resolve();
  });
  return { ...call, answered: answered.promise, ended: ended.promise };
}

/** Waits until the end of a call is stored. */
async function onRecord(sql: Client, number: string): Promise<Pick<FinishedCall, 'stored' | 'drafts'>> {
  const limitMs = systemClock.monotonic() + RECORD_LIMIT_MS;
  for (;;) {
    const { rows } = await sql.query<{ turns: StoredTurn[]; drafts: FinishedCall['drafts'] | null }>(
      `select c.turns, e.detail -> 'drafts' as drafts from calls c
       left join call_events e on e.call_id = c.id and e.type = 'line_ended'
       where c.client_phone_number = $1 and c.ended_at is not null`,
      [number],
    );
    const [row] = rows;
    if (row) return { stored: row.turns, drafts: row.drafts ?? { made: 0, discarded: 0 } };
    if (systemClock.monotonic() > limitMs) throw new Error('The end of a call is not on record');
    await pause(systemClock, 50);
  }
}
