/**
 * Calls of the visitors of a web page (P22), through the real api, as the widget places them: a request, then a WebSocket that
 * carries the sound until WebRTC is connected. The caller hears a frame when a page would play it: behind those before it,
 * the three silent ones included that voice sends ahead. Speech
 * to the assistant is 2 ms late, because it is resampled from that of the telephone.
 */
import { decodeG711, Resampler } from '@parley/audio';
import {
  WEB_CALL_SAMPLE_RATE_HZ,
  WIDGET_TALK_PATH,
  type WebCallServerMessage,
  type WidgetCall,
} from '@parley/contracts';
import { pause, systemClock } from '@parley/runtime';
import { fetch, WebSocket } from 'undici';
import { startTalkApi } from './talk-api.ts';
import type { Caller } from './talk-caller.ts';
import { distribution, FLOOR_MS, type Distribution } from './talk-figures.rules.ts';
import type { TalkTestbed } from './talk-testbed.ts';
import { greetingOf, turnsOf, unansweredOf, type CallTracks } from './talk-tracks.rules.ts';
import { FRAME_MS, FRAME_SAMPLES, isLoud } from './talk-wire.ts';

/** Milliseconds. */
export interface WebFigures {
  /** From the request of the page to the first sound. */
  joinMs: Distribution;
  /** Turns without a draft, minus {@link FLOOR_MS}. */
  overheadMs: Distribution;
  turns: number;
  unanswered: number;
}

/** How many calls are made, one after the other, and how long each lasts. */
export interface WebPlan {
  calls: number;
  talkMs: number;
}

const ORIGIN = 'http://page.test';
const SETTINGS = { allowed_origins: [ORIGIN], max_calls_per_visitor: 1000, max_calls_per_hour: 1000 };
const SAMPLES_PER_MS = WEB_CALL_SAMPLE_RATE_HZ / 1000;
/** The phrases of callers. */
const PHRASE_RATE_HZ = 8000;

/** @param newCaller - makes the person of each call */
export async function measureWeb(
  { installation }: TalkTestbed,
  newCaller: () => Caller,
  { calls, talkMs }: WebPlan,
): Promise<WebFigures> {
  const uuid = await openWidget(installation.sql);
  const api = await startTalkApi(installation);
  try {
    const tracks: CallTracks[] = [];
    // The first call compiles code.
    for (let call = 0; call <= calls; call++)
      tracks.push(await visit({ url: api.url, uuid, talkMs, caller: newCaller() }));
    return figuresOf(tracks.slice(1));
  } finally {
    await api.stop();
  }
}

/** @returns the UUID of an assistant with a widget */
async function openWidget(sql: TalkTestbed['installation']['sql']): Promise<string> {
  const { rows } = await sql.query<{ uuid: string }>(
    `update assistants set widget_settings = $1 where deleted_at is null and name = 'Bench' and type = 'outbound'
     returning uuid`,
    [SETTINGS],
  );
  const [row] = rows;
  if (!row) throw new Error('There is no assistant for the widget');
  return row.uuid;
}

interface Visit {
  url: string;
  uuid: string;
  talkMs: number;
  caller: Caller;
}

/** One call; the instant of its request is that of its answer in the tracks. */
async function visit({ url, uuid, talkMs, caller }: Visit): Promise<CallTracks> {
  caller.answered(systemClock.monotonic());
  const response = await fetch(`${url}/widget/assistants/${uuid}/calls`, {
    method: 'POST',
    headers: { Origin: ORIGIN },
  });
  if (response.status !== 201) throw new Error(`A call of the widget was answered with ${response.status}`);
  const { path } = (await response.json()) as WidgetCall;
  if (!path.startsWith(WIDGET_TALK_PATH)) throw new Error('The widget has another path than expected');
  const page = new Page(
    new WebSocket(url.replace('http', 'ws') + path, { headers: { Origin: ORIGIN } }),
    caller,
  );
  await page.isOpen;
  await pause(systemClock, talkMs);
  caller.finish();
  await page.hangUp();
  return caller.tracks();
}

/** The end of a call in the page. */
class Page {
  readonly isOpen: Promise<void>;
  readonly #closed = Promise.withResolvers<void>();
  readonly #socket: WebSocket;
  readonly #caller: Caller;
  readonly #resampler = new Resampler(PHRASE_RATE_HZ, WEB_CALL_SAMPLE_RATE_HZ);
  /** When the next frame is played: behind the last one. */
  #playedToMs = 0;
  #sequence = 0;

  constructor(socket: WebSocket, caller: Caller) {
    this.#socket = socket;
    this.#caller = caller;
    const opened = Promise.withResolvers<void>();
    this.isOpen = opened.promise;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      opened.resolve();
      this.#speak(0, systemClock.monotonic());
    });
    socket.addEventListener('error', () => opened.reject(new Error('The WebSocket of a call failed')));
    socket.addEventListener('close', () => this.#closed.resolve());
    socket.addEventListener('message', ({ data }) => this.#receive(data as string | ArrayBuffer));
  }

  async hangUp(): Promise<void> {
    this.#socket.send(JSON.stringify({ type: 'hang-up' }));
    await this.#closed.promise;
  }

  /** Sends the frames of the microphone, 20 ms apart. */
  #speak(count: number, startMs: number): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const nowMs = systemClock.monotonic();
    const frame = this.#caller.speak(nowMs);
    if (typeof frame === 'object' && 'digit' in frame) throw new Error('Callers of the widget press no keys');
    this.#socket.send(this.#samplesOf(frame instanceof Uint8Array ? frame : null));
    const nextMs = startMs + (count + 1) * FRAME_MS;
    systemClock.after(Math.max(0, nextMs - nowMs), () => this.#speak(count + 1, startMs));
  }

  /** @param frame - G.711; null: silence */
  #samplesOf(frame: Uint8Array | null): Uint8Array {
    const narrow = new Int16Array(FRAME_SAMPLES);
    if (frame) decodeG711('PCMU', frame, narrow);
    // A copy of the samples alone: their buffer is longer.
    return new Uint8Array(this.#resampler.process(narrow).slice().buffer);
  }

  #receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') return this.#play(new Int16Array(data));
    const message = JSON.parse(data) as WebCallServerMessage;
    if (message.type === 'clear') this.#playedToMs = 0;
    if (message.type === 'ended') this.#caller.ended();
  }

  #play(samples: Int16Array): void {
    const atMs = Math.max(systemClock.monotonic(), this.#playedToMs);
    this.#playedToMs = atMs + samples.length / SAMPLES_PER_MS;
    const from = samples.findIndex(isLoud);
    const to = samples.findLastIndex(isLoud) + 1;
    const loud =
      from === -1 ? null : { fromMs: atMs + from / SAMPLES_PER_MS, toMs: atMs + to / SAMPLES_PER_MS };
    this.#caller.hear({ atMs, sequence: this.#sequence++ & 0xff_ff, loud });
  }
}

function figuresOf(calls: readonly CallTracks[]): WebFigures {
  const turns = calls.flatMap((tracks) => turnsOf(tracks));
  const open = turns.filter(({ understood }) => understood === 'open');
  return {
    joinMs: distribution(calls.flatMap((tracks) => greetingOf(tracks) ?? [])),
    overheadMs: distribution(open.map(({ silenceMs }) => silenceMs - FLOOR_MS)),
    turns: calls.reduce((sum, { spoken }) => sum + spoken.length, 0),
    unanswered: calls.reduce((sum, tracks) => sum + unansweredOf(tracks), 0),
  };
}
