import { addTrunk, createUser, placeCall, storeSipTrace, type Identity } from '@parley/core';
import { statement } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { createSipEndpoint, type SipEndpoint } from '@parley/telephony';
import { createTestAssistant, createTestContext, createTestUser, useTestDatabase } from '@parley/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  closedPort,
  openTcpPeer,
  openUdpPeer,
  type AnswerRequest,
  type PeerAnswer,
} from '../../test/sip-peer.ts';
import { TrunkDiagnoses } from './trunk-diagnoses.ts';
import { diagnoseTrunk } from './diagnose-trunk.ts';

const database = useTestDatabase();

const sdp = (formats: string) => ({
  headers: { 'Content-Type': 'application/sdp' },
  body: `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP ${formats}\r\n`,
});
const OK: PeerAnswer = { status: '200 OK' };
const CHALLENGE: PeerAnswer = {
  status: '401 Unauthorized',
  headers: { 'WWW-Authenticate': 'Digest realm="carrier", nonce="n1", algorithm=MD5' },
};
const always =
  (answer: PeerAnswer | null): AnswerRequest =>
  () =>
    answer;
const asking: AnswerRequest = ({ text }) => (/^Authorization:/im.test(text) ? OK : CHALLENGE);
const ACCOUNT = { username: 'account', password: 'secret' };

const setHost = statement('', 'update trunks set host = $2 where id = $1');

async function openEndpoint(options: { allowPrivateTrunks?: 'none' | 'all'; publicAddress?: string } = {}) {
  const endpoint = createSipEndpoint({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Parley',
    media: { openMedia: () => Promise.reject(new Error('No call is placed')) },
    ...options,
  });
  await endpoint.start();
  onTestFinished(() => endpoint.stop());
  return endpoint;
}

type TrunkInput = Partial<Parameters<typeof addTrunk>[2]>;

async function setup(
  port: number,
  input: TrunkInput = {},
  given: { identity?: Identity; endpoint?: SipEndpoint } = {},
) {
  const core = createTestContext(database.db, { clock: systemClock });
  const made = await createTestUser(core);
  const identity = given.identity ?? { ...made.identity, role: 'operator' as const };
  const settings = {
    name: 'Carrier',
    host: '127.0.0.1',
    transport: 'udp',
    reach: 'any',
    dtmf: 'auto',
    tls_verify: true,
    incoming_refer: 'refused' as const,
    media_encryption: 'none',
  } as const;
  const headers = {
    number_format: 'e164',
    inbound_caller_source: 'from',
    inbound_called_source: 'request_uri',
    outbound_caller_header: 'from',
    registers: false,
    register_expires: 300,
  } as const;
  const trunk = await addTrunk(core, identity, {
    ...settings,
    ...headers,
    other_hosts: [],
    codecs: [],
    priority: 50,
    is_shared: identity.role === 'operator',
    port,
    ...input,
  });
  const voice = { core, endpoint: given.endpoint ?? (await openEndpoint()) };
  const diagnose = (callId: number | null = null) => diagnoseTrunk(voice, { trunkId: trunk.id, callId });
  /** The step of the diagnosis. */
  const step = async (name: string, callId: number | null = null) =>
    (await diagnose(callId)).steps.find((each) => each.step === name);
  return { core, voice, trunkId: trunk.id, identity, diagnose, step };
}

type Setup = Awaited<ReturnType<typeof setup>>;

let lastNumber = 100;

/** A call that went over the trunk, as its trace tells. */
async function makeTracedCall(
  { core, trunkId }: Pick<Setup, 'core' | 'trunkId'>,
  { status, media = null }: { status: string; media?: object | null },
): Promise<number> {
  const { identity } = await createTestUser(core);
  const assistant = await createTestAssistant(core, identity);
  const phoneNumber = `+12025550${lastNumber++}`;
  const { callId } = await placeCall(core, identity, { phoneNumber, assistantId: assistant.id });
  const address = { host: '127.0.0.1', port: 5060 };
  const message = { atMs: 0, isSent: false, transport: 'udp', local: address, remote: address } as const;
  const text = `SIP/2.0 ${status}\r\nCSeq: 1 INVITE\r\n\r\n`;
  const counts = { packetsLost: 0, jitterMs: 1, concealedFrames: 0, far: null };
  await storeSipTrace(core, {
    callId,
    trunkId,
    isSharedTrunk: false,
    messages: [{ ...message, text, isTruncated: false }],
    omitted: 0,
    media: media && { packetsSent: 500, packetsReceived: 500, ...counts, ...media },
  });
  return callId;
}

describe('the diagnosis of a trunk', () => {
  it('finds no fault in a trunk that works', async () => {
    const answer: AnswerRequest = (request) => {
      if (asking(request) !== OK) return CHALLENGE;
      const { headers, body } = sdp('18 0');
      return { status: '200 OK', headers: { ...headers, Date: new Date().toUTCString() }, body };
    };
    const about = await setup(await openUdpPeer(answer), { ...ACCOUNT, registers: true });
    const callId = await makeTracedCall(about, { status: '200 OK', media: {} });
    const { verdict, steps } = await about.diagnose(callId);
    expect(steps.filter((step) => step.verdict !== 'ok')).toMatchObject([
      { step: 'tls', verdict: 'skipped' },
      // No process of this test registers it.
      {
        step: 'registration',
        verdict: 'warning',
        message: expect.stringContaining('no voice process') as string,
      },
    ]);
    expect(verdict).toBe('warning');
    expect(steps).toHaveLength(12);
  });

  it('says what it cannot know', async () => {
    const { diagnose } = await setup(await openUdpPeer(always(OK)));
    const { steps, verdict } = await diagnose();
    const skipped = steps.flatMap(({ step, verdict: own }) => (own === 'skipped' ? [step] : []));
    expect(skipped).toEqual([
      'tls',
      'authentication',
      'registration',
      'codec',
      'caller_identity',
      'clock',
      'audio',
    ]);
    expect(verdict).toBe('ok');
  });

  it('runs once at a time for each trunk', async () => {
    const { voice, trunkId } = await setup(await openUdpPeer(always(OK)));
    const diagnoses = new TrunkDiagnoses();
    const about = { trunkId, callId: null };
    const [first, second] = await Promise.allSettled([
      diagnoses.run(voice, about),
      diagnoses.run(voice, about),
    ]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    expect(await diagnoses.run(voice, about)).toMatchObject({ verdict: 'ok' });
  });
});

describe('a planted fault', () => {
  it('1: the host name has no address', async () => {
    const { core, trunkId, diagnose } = await setup(5060);
    // Longer than a label may be, so that no name server is asked.
    await core.db.query(setHost, [trunkId, `${'x'.repeat(70)}.example`]);
    const { steps } = await diagnose();
    expect(steps.slice(0, 3)).toMatchObject([
      { step: 'dns', verdict: 'failed', cure: expect.stringContaining('spelling') as string },
      { step: 'address', verdict: 'skipped' },
      { step: 'servers', verdict: 'skipped' },
    ]);
  });

  it('2: nothing listens on the port', async () => {
    const { step } = await setup(await closedPort());
    expect(await step('reach')).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('Nothing listens') as string,
    });
  });

  it('3: the trunk answers nothing, although calls get through', async () => {
    const about = await setup(await openUdpPeer(always(null)));
    expect(await about.step('reach')).toMatchObject({
      verdict: 'failed',
      message: 'The trunk does not answer.',
    });
    await makeTracedCall(about, { status: '200 OK', media: {} });
    expect(await about.step('reach')).toMatchObject({
      verdict: 'warning',
      message: expect.stringContaining('calls get through') as string,
    });
  });

  it('4: the trunk refuses the address of this server', async () => {
    const { step } = await setup(await openUdpPeer(always({ status: '403 Forbidden' })));
    expect(await step('authentication')).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('403') as string,
      cure: expect.stringContaining('public address') as string,
    });
  });

  it('5: the password is wrong, or there is none', async () => {
    const wrong = await setup(await openUdpPeer(always(CHALLENGE)), ACCOUNT);
    expect(await wrong.step('authentication')).toMatchObject({
      verdict: 'failed',
      message: 'The trunk does not accept the user name or the password.',
    });
    const none = await setup(await openUdpPeer(asking));
    expect(await none.step('authentication')).toMatchObject({
      verdict: 'failed',
      cure: expect.stringContaining('Enter the user name') as string,
    });
  });

  it('6: the registrar refuses the account', async () => {
    const answer: AnswerRequest = ({ method, text }) => {
      // A question must not change what is registered.
      if (/^Contact:/im.test(text) && method === 'REGISTER') return OK;
      return method === 'REGISTER' ? { status: '404 Not Found' } : OK;
    };
    const { step } = await setup(await openUdpPeer(answer), { ...ACCOUNT, registers: true });
    expect(await step('reach')).toMatchObject({ verdict: 'ok' });
    expect(await step('registration')).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('404') as string,
    });
  });

  it('the first host is down, and the registration is at another one', async () => {
    const registrar = `127.0.0.1:${await openUdpPeer(always({ status: '404 Not Found' }))}`;
    const account = { ...ACCOUNT, registers: true, other_hosts: [registrar] };
    const { step } = await setup(await closedPort(), account);
    expect(await step('registration')).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('404') as string,
    });
  });

  it('7: there is no codec in common', async () => {
    const offering = await setup(await openUdpPeer(always({ status: '200 OK', ...sdp('18') })));
    expect(await offering.step('codec')).toMatchObject({
      verdict: 'failed',
      cure: expect.stringContaining('G.711') as string,
    });
    const refusing = await setup(await openUdpPeer(always(OK)));
    await makeTracedCall(refusing, { status: '488 Not Acceptable Here' });
    expect(await refusing.step('codec')).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('488') as string,
    });
  });

  it('8: the trunk sees another address than the announced one', async () => {
    const { step } = await setup(await openUdpPeer(always({ ...OK, seen: '203.0.113.9' })));
    expect(await step('nat')).toMatchObject({
      verdict: 'failed',
      message: 'Parley announces 127.0.0.1, but the trunk sees 203.0.113.9.',
      cure: expect.stringContaining('SIP_PUBLIC_ADDRESS') as string,
    });
  });

  it('9: the clocks differ by ten minutes', async () => {
    const answer = (): PeerAnswer => ({
      ...OK,
      headers: { Date: new Date(Date.now() - 600_000).toUTCString() },
    });
    const { step } = await setup(await openUdpPeer(answer));
    expect(await step('clock')).toMatchObject({
      verdict: 'warning',
      message: expect.stringContaining('by 10 minutes') as string,
    });
  });

  it('10: the transport is wrong', async () => {
    const { step } = await setup(await openTcpPeer(always(OK)));
    expect(await step('reach')).toMatchObject({
      verdict: 'failed',
      cure: 'Set the transport of the trunk to TCP.',
    });
  });

  it('11: the address is one of a private network, which is not even asked', async () => {
    let asked = 0;
    const port = await openUdpPeer(() => {
      asked += 1;
      return OK;
    });
    const endpoint = await openEndpoint({ allowPrivateTrunks: 'none' });
    const core = createTestContext(database.db, { clock: systemClock });
    const userId = await createUser(core, {
      name: 'Member',
      email: `${port}@parley.example`,
      role: 'member',
    });
    const identity = {
      userId: userId.id,
      role: 'member',
      scopes: 'all',
      tokenId: null,
      timezone: 'UTC',
    } as const;
    const {
      core: db,
      trunkId,
      step,
    } = await setup(port, { host: 'sip.carrier.example' }, { identity, endpoint });
    await db.db.query(setHost, [trunkId, '127.0.0.1']);
    expect(await step('address')).toMatchObject({
      verdict: 'failed',
      cure: expect.stringContaining('public host') as string,
    });
    expect(await step('reach')).toMatchObject({ verdict: 'skipped' });
    expect(asked).toBe(0);
  });

  it('12: the test call is refused, or has audio in one direction', async () => {
    const about = await setup(await openUdpPeer(always(OK)));
    const forbidden = await makeTracedCall(about, { status: '403 Forbidden' });
    expect(await about.step('caller_identity', forbidden)).toMatchObject({ verdict: 'failed' });
    expect(await about.step('audio', forbidden)).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('403') as string,
    });
    const deaf = await makeTracedCall(about, { status: '200 OK', media: { packetsReceived: 0 } });
    expect(await about.step('audio', deaf)).toMatchObject({
      verdict: 'failed',
      cure: expect.stringContaining('RTP_PORTS') as string,
    });
    const bad = await makeTracedCall(about, { status: '200 OK', media: { packetsLost: 100 } });
    expect(await about.step('audio', bad)).toMatchObject({
      verdict: 'warning',
      message: expect.stringContaining('17 %') as string,
    });
    expect(await about.step('audio', 999_999)).toMatchObject({
      verdict: 'failed',
      message: expect.stringContaining('no SIP trace') as string,
    });
  });
});
