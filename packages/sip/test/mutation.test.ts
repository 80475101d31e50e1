/**
 * Sends thousands of slightly malformed messages to one agent, and through the proxy in front of a fleet. They must neither
 * throw nor report a fault, no message may take long, and a call that is placed before them must still work afterwards.
 * `npm run test:random -- --messages 1000000` runs the long form.
 */
import { describe, expect, it } from 'vitest';
import { answerableRequest } from '../src/message/answerable-request.ts';
import { SipParseError } from '../src/message/parse-error.ts';
import { parseMessage } from '../src/message/parse-message.ts';
import { forwardRequest, returnResponse } from '../src/message/stateless-proxy.ts';
import { textBody } from '../src/message/message.ts';
import { PEER, peerRequest, sdp, Stage, toTag } from './scripted-peer.ts';
import { seededNumbers } from './seeded-random.ts';

const MESSAGES = Number(process.env['SIP_MUTATIONS'] ?? 5000);
/** Set it to repeat a failure. */
const SEED = Number(process.env['PARLEY_SEED'] ?? 20_261_120);
const LONG = 100_000;
/** Processor time for one message, milliseconds: the goal (docs/goals.md), and what no machine and no JIT compiler exceeds. */
const LIMIT_MS = MESSAGES >= LONG ? 50 : 1000;
const TYPE = { name: 'Content-Type', value: 'application/sdp' };

const CORPUS = [
  peerRequest({
    method: 'INVITE',
    body: sdp(),
    headers: ['Record-Route: <sip:10.0.0.7;lr>', 'Supported: timer'],
  }),
  peerRequest({ method: 'INVITE', body: sdp(), headers: ['Require: 100rel'], callId: 'other' }),
  peerRequest({ method: 'OPTIONS', headers: ['Accept: application/sdp'] }),
  peerRequest({ method: 'BYE', toTag: 'x', sequence: 2 }),
  peerRequest({ method: 'CANCEL', branch: 'z9hG4bK-1' }),
  peerRequest({ method: 'ACK', toTag: 'x', body: sdp() }),
  peerRequest({
    method: 'INFO',
    toTag: 'x',
    headers: ['Content-Type: application/dtmf-relay'],
    body: 'Signal=1',
  }),
  peerRequest({ method: 'UPDATE', toTag: 'x', body: sdp({ direction: 'sendonly' }) }),
  peerRequest({ method: 'PRACK', toTag: 'x', headers: ['RAck: 7 1 INVITE'] }),
  peerRequest({
    method: 'INVITE',
    body: sdp(),
    headers: ['Supported: timer, 100rel', 'Session-Expires: 90;refresher=uac', 'Min-SE: 90'],
  }),
  peerRequest({
    method: 'REGISTER',
    headers: ['Authorization: Digest username="a", realm="b", nonce="c", uri="d"'],
  }),
];

type Next = () => number;
const pick = <Item>(next: Next, items: readonly Item[]): Item =>
  items[Math.floor(next() * items.length)] as Item;

/** Changes one thing: a byte, a stretch, a line, a number, or glues two messages together. */
const MUTATIONS: ((text: string, next: Next, corpus: readonly string[]) => string)[] = [
  (text, next) => splice(text, next, 1, String.fromCharCode(Math.floor(next() * 256))),
  (text, next) => splice(text, next, Math.floor(next() * 40), ''),
  (text, next) =>
    splice(
      text,
      next,
      0,
      pick(next, ['\0', '\r\n', '\r\n\r\n', '"', '<', '>', ';', ',', '%', '\u{1F600}', ' ']),
    ),
  (text, next) => text.slice(0, Math.floor(next() * text.length)),
  (text, next) => {
    const lines = text.split('\r\n');
    lines.splice(Math.floor(next() * lines.length), 1);
    return lines.join('\r\n');
  },
  (text, next) => {
    const lines = text.split('\r\n');
    lines.splice(Math.floor(next() * lines.length), 0, pick(next, lines));
    return lines.join('\r\n');
  },
  (text, next) =>
    text.replaceAll(/\d+/g, (digits) =>
      next() < 0.1 ? pick(next, ['-1', '99999999999', '0x1', '']) : digits,
    ),
  (text, next, corpus) => text.slice(0, Math.floor(next() * text.length)) + pick(next, corpus),
  (text, next) =>
    text.replaceAll(/=[^;\r\n]+/g, (value) => (next() < 0.1 ? pick(next, ['=', '="', '=%', '=<']) : value)),
];

function splice(text: string, next: Next, length: number, insert: string): string {
  const at = Math.floor(next() * text.length);
  return text.slice(0, at) + insert + text.slice(at + length);
}

describe(`an agent under ${MESSAGES} mutated messages`, () => {
  it(`neither throws nor breaks (seed ${SEED})`, { timeout: 300_000 + MESSAGES }, () => {
    const times = new ProcessorTimes();
    const next = seededNumbers(SEED);
    const stage = new Stage();
    const call = stage.invite({ credentials: { username: 'a', password: 'b' } });
    const invite = stage.sentRequest();
    stage.respond(invite, 200, { toTag: 'x', headers: [TYPE], body: textBody(sdp()) });
    const ourTag =
      /tag=(\S+)/.exec(String(invite.headers.find(({ name }) => name === 'From')?.value))?.[1] ?? '';
    const within = { callId: 'ours-1', fromTag: 'x', toTag: ourTag };
    const corpus = [
      ...CORPUS,
      // INVITEs reach the most code, so they are more frequent.
      ...CORPUS.slice(0, 1),
      ...CORPUS.slice(0, 1),
      ...['INVITE', 'UPDATE', 'INFO', 'OPTIONS'].map((method) =>
        peerRequest({ method, ...within, sequence: 5, body: sdp() }),
      ),
      responseTo(invite, 'SIP/2.0 200 OK'),
      responseTo(invite, 'SIP/2.0 183 Session Progress\r\nRequire: 100rel\r\nRSeq: 1'),
      responseTo(invite, 'SIP/2.0 302 Moved Temporarily\r\nContact: <sip:+12025550101@10.0.0.9>;q=0.5'),
      responseTo(invite, 'SIP/2.0 422 Session Interval Too Small\r\nMin-SE: 3600'),
      responseTo(
        invite,
        'SIP/2.0 401 Unauthorized\r\nWWW-Authenticate: Digest realm="x", nonce="y", qop="auth"',
      ),
    ];
    for (let index = 0; index < MESSAGES; index += 1) {
      // Half of them are new requests; the others repeat or contradict earlier ones.
      let text = pick(next, corpus);
      if (next() < 0.5)
        text = text
          .replace('Call-ID: call-1', `Call-ID: ${index}`)
          .replace(';branch=z9hG4bK', `$&-${index}-`);
      for (let changes = Math.ceil(next() * 2); changes > 0; changes -= 1)
        text = pick(next, MUTATIONS)(text, next, corpus);
      // The stage throws every error that the agent has caught.
      const bytes = Buffer.from(text, next() < 0.5 ? 'latin1' : 'utf8');
      times.measure(() => stage.receive(bytes), text);
      times.measure(() => passThrough(bytes), text);
      if (index % 50 === 0) {
        stage.advance(next() * 3000);
        stage.sent();
      }
      for (const { call: arrived } of stage.incoming.splice(0)) decide(stage, arrived, next());
    }
    if (MESSAGES >= LONG) process.stdout.write(`Slowest of ${MESSAGES} messages: ${times.slowestMs} ms\n`);
    expect(times.slowestMs, times.slowest).toBeLessThan(LIMIT_MS);
    expect(stage.agent.load().faults).toBe(0);
    expect(stage.ends().length).toBeGreaterThan(MESSAGES / 200);

    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.advance(200_000);
    stage.sent();
    stage.request({ method: 'INVITE', callId: 'afterwards', body: sdp() });
    const { call: fresh } = stage.incoming.at(-1) ?? { call: 0 };
    stage.run((agent, nowMs) => agent.answer(fresh, { host: '10.0.0.1', port: 40_000 }, nowMs));
    const ok = stage.sent().at(-1);
    if (!ok) throw new Error('The agent is silent');
    stage.request({ method: 'ACK', callId: 'afterwards', toTag: toTag(ok) });
    stage.request({ method: 'BYE', callId: 'afterwards', sequence: 2, toTag: toTag(ok) });
    expect(stage.events.at(-1)).toMatchObject({
      call: fresh,
      event: { type: 'ended', end: { by: 'remote-bye' } },
    });
    stage.advance(200_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0, faults: 0 });
  });
});

/** Processor time of this thread, which the load of the machine does not change. */
class ProcessorTimes {
  slowestMs = 0;
  slowest = '';

  measure(run: () => void, text: string): void {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms <= this.slowestMs) return;
    this.slowestMs = ms;
    this.slowest = text;
  }
}

/** What the proxy in front of a fleet does with a message. Only errors of the message itself are expected. */
function passThrough(bytes: Uint8Array): void {
  const own = { host: '10.0.0.1', port: 5060 };
  try {
    const message = parseMessage(bytes);
    if (message.kind === 'response') returnResponse(message, own);
    else {
      answerableRequest(message, PEER);
      forwardRequest(message, PEER, own);
    }
  } catch (error) {
    if (!(error instanceof SipParseError)) throw error;
  }
}

/** Rings, answers, rejects or ends an inbound call, so that later messages meet every state. */
function decide(stage: Stage, call: number, by: number): void {
  stage.run((agent, nowMs) => {
    if (by < 0.7) agent.ring(call, nowMs);
    if (by < 0.5) agent.answer(call, { host: '10.0.0.1', port: 40_000 }, nowMs);
    if (by < 0.2 || by > 0.8) agent.hangUp(call, nowMs);
    if (by >= 0.5 && by <= 0.8) agent.reject(call, 486, nowMs);
  });
}

function responseTo(request: { headers: readonly { name: string; value: string }[] }, start: string): string {
  const lines = request.headers.filter(({ name }) => /^(Via|From|To|Call-ID|CSeq)$/.test(name));
  const copied = lines.map(({ name, value }) => `${name}: ${value}${name === 'To' ? ';tag=x' : ''}`);
  return [start, ...copied, 'Contact: <sip:peer@10.0.0.9>', 'Content-Type: application/sdp', '', sdp()].join(
    '\r\n',
  );
}
