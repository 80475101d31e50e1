/**
 * A call with a foreign user agent goes on in another process of ours, at another address: sipp behind kamailio as a proxy that
 * stays in the path, and baresip, with audio in both directions before and after.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, isInstalled, makeCertificate, Baresip, type BaresipSecurity } from '@parley/testkit';
import { tone, tonePurity } from '@parley/audio';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallLeg, StoredDialog } from '../../src/call-leg.ts';
import type { TrunkAddress } from '../../src/sip/dial-request.ts';
import { LegEvents } from '../leg-events.ts';
import { startProxy } from './record-routing-proxy.ts';
import * as scenarios from './resumed-scenarios.ts';
import { TestEndpoint } from './test-endpoint.ts';

const HOST = '127.0.0.1';
const POLL = { timeout: 20_000, interval: 20 };
const WINDOW_SAMPLES = 4000;
const [THEIRS_HZ, BEFORE_HZ, AFTER_HZ] = [440, 1000, 1500];
const testLines: TestEndpoint[] = [];
afterEach(async () => {
  await Promise.all(testLines.splice(0).map((testEndpoint) => testEndpoint.close()));
});

async function openEndpoint(...options: Parameters<typeof TestEndpoint.open>): Promise<TestEndpoint> {
  const testEndpoint = await TestEndpoint.open(...options);
  testLines.push(testEndpoint);
  return testEndpoint;
}

/** The process that has `leg` is lost, and `next` goes on with its call, as core hands it over. */
function passOn(
  next: TestEndpoint,
  about: {
    leg: CallLeg;
    dialog: StoredDialog | null | undefined;
    direction: 'inbound' | 'outbound';
    trunk: TrunkAddress;
  },
) {
  const { leg, dialog, direction, trunk } = about;
  if (!dialog) throw new Error('The call has no dialog');
  leg.abandon?.();
  const stored = { ...dialog, localSequence: dialog.localSequence + 100 };
  const resumed = next.endpoint.resume({
    dialog: JSON.parse(JSON.stringify(stored)) as StoredDialog,
    direction,
    from: '+12025550100',
    to: '+12025550101',
    trunk,
    limitMs: 20_000,
  });
  return { leg: resumed, events: new LegEvents(resumed) };
}

function answerAtOnce(leg: CallLeg): void {
  void leg.answer();
}

describe.skipIf(!isInstalled('sipp') || !isInstalled('kamailio'))('sipp behind kamailio', () => {
  async function runSipp(home: TestEndpoint, xml: string, to: string[] = []) {
    const [port, mediaPort] = [await freePort(), await freePort()];
    const file = path.join(home.folder, 'scenario.xml');
    await writeFile(file, xml);
    const where = ['-i', HOST, '-p', `${port}`, '-mp', `${mediaPort & ~1}`, '-t', 'u1'];
    const sipp = () => home.run('sipp', [...to, ...where, '-nostdin', '-trace_err', '-sf', file, '-m', '1']);
    return { port, sipp };
  }

  /** We have called sipp, and another process goes on with the call. */
  async function resumedCallTo(xml: string, transport: 'udp' | 'tcp' = 'udp') {
    const [lost, next] = [await openEndpoint(), await openEndpoint()];
    const { port, sipp } = await runSipp(lost, xml);
    const run = sipp();
    const proxy = await startProxy(next, { host: HOST, port });
    const trunk = { host: HOST, port: proxy, transport };
    const { leg, events } = lost.dial(trunk);
    const { dialog } = await events.next('answered');
    return { ...passOn(next, { leg, dialog, direction: 'outbound', trunk }), sipp: run };
  }

  it.each(['udp', 'tcp'] as const)('accepts it over %s, and takes our BYE', async (transport) => {
    const { leg, events, sipp } = await resumedCallTo(scenarios.acceptsIt, transport);
    await events.next('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it.each(['488 Not Acceptable Here', '481 Call/Transaction Does Not Exist', '403 Forbidden'])(
    'refuses it with %s, and gets BYE',
    async (status) => {
      const { events, sipp } = await resumedCallTo(scenarios.refusesItWith(status));
      expect(await events.end()).toMatchObject({ sipStatus: Number.parseInt(status, 10) });
      expect(await sipp.exitCode()).toBe(0);
    },
  );

  it('refuses it once with 491, and accepts the next one', async () => {
    const { leg, events, sipp } = await resumedCallTo(scenarios.refusesItOnceWith('491 Request Pending'));
    await events.next('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it('sends a re-INVITE of its own meanwhile', async () => {
    const { leg, events, sipp } = await resumedCallTo(scenarios.changesItItself);
    await events.next('answered');
    await leg.hangUp();
    expect(await sipp.exitCode()).toBe(0);
  });

  it('hangs up meanwhile', async () => {
    const { events, sipp } = await resumedCallTo(scenarios.hangsUp);
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(await sipp.exitCode()).toBe(0);
  });

  it('has called us, accepts it, and hangs up', async () => {
    const [lost, next] = [await openEndpoint(answerAtOnce), await openEndpoint()];
    const proxy = await startProxy(next, lost.endpoint.address());
    const { sipp } = await runSipp(lost, scenarios.callsAndHangsUp, [`${HOST}:${proxy}`]);
    const run = sipp();
    await vi.waitFor(() => expect(lost.received).toHaveLength(1), POLL);
    const [call] = lost.received;
    if (!call) throw new Error('No call arrived');
    const { dialog } = await call.events.next('answered');
    const trunk = { host: HOST, port: proxy, transport: 'udp' as const };
    const { events } = passOn(next, { leg: call.leg, dialog, direction: 'inbound', trunk });
    await events.next('answered');
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(await run.exitCode()).toBe(0);
  });
});

/** Plays a tone, and listens until that of the far end was heard for half a second. */
async function exchange(leg: CallLeg, ourHz: number, theirHz = THEIRS_HZ): Promise<void> {
  leg.media.play(1, tone({ hz: ourHz, sampleRateHz: 8000, samples: 40_000 }));
  let heard: number[] = [];
  await new Promise<void>((resolve) => {
    leg.media.onTick(({ received }) => {
      heard = [...heard, ...received].slice(-WINDOW_SAMPLES);
      if (contains(Int16Array.from(heard), theirHz)) setTimeout(resolve, 1500);
    });
  });
}

/** Whether the tone sounds for half a second somewhere in it. */
function contains(sound: Int16Array, hz: number): boolean {
  for (let at = 0; at + WINDOW_SAMPLES <= sound.length; at += 400)
    if (tonePurity(sound.slice(at, at + WINDOW_SAMPLES), hz, 8000) > 0.9) return true;
  return false;
}

describe.skipIf(!isInstalled('baresip') || !isInstalled('openssl'))('baresip', () => {
  async function setup(transport: 'udp' | 'tcp' | 'tls', answerWith?: (leg: CallLeg) => void) {
    if (transport !== 'tls') {
      const [lost, next] = [await openEndpoint(answerWith), await openEndpoint()];
      return { lost, next, ...(await withBaresip(lost)), trunk: { host: HOST, transport } };
    }
    const home = await openEndpoint();
    const [ours, theirs] = [
      await makeCertificate(home.folder, 'endpoint', HOST),
      await makeCertificate(home.folder, 'baresip', HOST),
    ];
    const tls = { port: 0, certFile: ours.certFile, keyFile: ours.keyFile, caFile: theirs.certFile };
    const [lost, next] = [
      await openEndpoint(answerWith, undefined, { tls }),
      await openEndpoint(undefined, undefined, { tls }),
    ];
    const secure = { certificateFile: theirs.bothFile, caFile: ours.certFile };
    const trunk = { host: HOST, transport, encryption: 'required' as const };
    return { lost, next, ...(await withBaresip(lost, secure)), trunk };
  }

  async function withBaresip(home: TestEndpoint, secure?: BaresipSecurity) {
    const sound = tone({ hz: THEIRS_HZ, sampleRateHz: 8000, samples: 400_000 });
    const baresip = await Baresip.start(home, sound, secure);
    // baresip listens for TLS on the port after its SIP port.
    return { baresip, port: secure ? baresip.port + 1 : baresip.port };
  }

  /** Older versions go on with the first key of the far end: they cannot decrypt what another process of ours sends. */
  async function expectHeard(baresip: Baresip): Promise<void> {
    const isDeaf = baresip.output.includes('failed to decrypt RTP packet');
    // baresip closes its file some time after the BYE.
    await vi.waitFor(
      async () => {
        const heard = await baresip.heard();
        expect([contains(heard, BEFORE_HZ), contains(heard, AFTER_HZ)]).toEqual([true, !isDeaf]);
      },
      { timeout: 30_000, interval: 200 },
    );
  }

  it.each(['udp', 'tcp', 'tls'] as const)('that we have called over %s', async (transport) => {
    const { lost, next, baresip, port, trunk } = await setup(transport);
    const { leg, events } = lost.dial({ ...trunk, port }, { to: 'phone' });
    const { dialog } = await events.next('answered');
    await exchange(leg, BEFORE_HZ);
    const resumed = passOn(next, { leg, dialog, direction: 'outbound', trunk: { ...trunk, port } });
    await resumed.events.next('answered');
    await exchange(resumed.leg, AFTER_HZ);
    baresip.hangUp();
    expect(await resumed.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    await expectHeard(baresip);
    if (transport !== 'tls') expect(baresip.output).not.toContain('failed to decrypt');
  });

  it.each(['udp', 'tcp', 'tls'] as const)('that has called us over %s', async (transport) => {
    const { lost, next, baresip, port, trunk } = await setup(transport, (leg) => {
      void leg.answer(transport === 'tls' ? { encryption: 'required' } : {});
    });
    const address = lost.endpoint.address();
    const ourPort = transport === 'tls' ? address.tlsPort : address.port;
    baresip.dial(`sip:+12025550101@${HOST}:${ourPort}${transport === 'tcp' ? ';transport=tcp' : ''}`);
    await vi.waitFor(() => expect(lost.received).toHaveLength(1), POLL);
    const [call] = lost.received;
    if (!call) throw new Error('No call arrived');
    const { dialog } = await call.events.next('answered');
    await exchange(call.leg, BEFORE_HZ);
    const about = { leg: call.leg, dialog, direction: 'inbound', trunk: { ...trunk, port } } as const;
    const resumed = passOn(next, about);
    await resumed.events.next('answered');
    await exchange(resumed.leg, AFTER_HZ);
    await resumed.leg.hangUp();
    await expectHeard(baresip);
  });
});

it.skipIf(!isInstalled('openssl'))(
  'a far end over TLS that takes new keys hears both processes',
  async () => {
    const home = await openEndpoint();
    const { certFile, keyFile } = await makeCertificate(home.folder, 'endpoint', HOST);
    const secure = { tls: { port: 0, certFile, keyFile, caFile: certFile } };
    const answer = (leg: CallLeg): void => void leg.answer({ encryption: 'required' });
    const [far, lost, next] = [
      await openEndpoint(answer, undefined, secure),
      await openEndpoint(undefined, undefined, secure),
      await openEndpoint(undefined, undefined, secure),
    ];
    const port = far.endpoint.address().tlsPort;
    const trunk = { host: HOST, port, transport: 'tls', encryption: 'required' } as const;
    const { leg, events } = lost.dial(trunk);
    const { dialog } = await events.next('answered');
    const [call] = far.received;
    if (!call) throw new Error('No call arrived');
    await Promise.all([exchange(leg, BEFORE_HZ), exchange(call.leg, THEIRS_HZ, BEFORE_HZ)]);
    const resumed = passOn(next, { leg, dialog, direction: 'outbound', trunk });
    await resumed.events.next('answered');
    await Promise.all([exchange(resumed.leg, AFTER_HZ), exchange(call.leg, THEIRS_HZ, AFTER_HZ)]);
    await resumed.leg.hangUp();
    expect(await call.events.end()).toMatchObject({ cause: 'remote-hang-up' });
  },
);
