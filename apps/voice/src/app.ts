/**
 * Builds the voice process from its settings: database, engines, SIP endpoint, lease, control server. `start` opens them in
 * the order of their dependencies; `stop` drains the calls and then closes everything in reverse order.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  createEmbedder,
  type Embedder,
  findCallsOfOthers,
  type CoreContext,
  type ProviderAccess,
  type RecognitionSupport,
  type TakenCall,
} from '@parley/core';
import {
  BackgroundWork,
  createLimitedServer,
  systemClock,
  withDeadline,
  type Log,
  type Service,
} from '@parley/runtime';
import { createGuardedClient, type GuardedClient } from '@parley/runtime/guarded-http';
import { createRtpMediaFactory, createSipEndpoint, type SipEndpoint } from '@parley/telephony';
import { OWNER_LIMIT_MS } from './ask-owner.ts';
import { admittedCalls } from './admission.rules.ts';
import { createControl } from './control.ts';
import { openCoreContexts } from './core-contexts.ts';
import { createEngines } from './engines.ts';
import { RecordedSounds } from './recorded-sounds.ts';
import { InternalAccess } from './internal-access.ts';
import { readIdentityCertificates } from './identity-certificates.ts';
import { takeInboundCall } from './inbound-call.ts';
import { VoiceLease } from './lease.ts';
import { receiveFromFleet } from './fleet/fleet-message.ts';
import { Evaluations } from './evaluation/evaluations.ts';
import {
  report,
  reportResumed,
  reportStranger,
  reportTrusted,
  type ChildReport,
} from './fleet/child-report.ts';
import { LiveCalls } from './live-calls.ts';
import { LoopDelay } from './loop-delay.ts';
import { WrittenReplies } from './replies/written-replies.ts';
import { tlsOptions, type VoiceSettings } from './settings.ts';
import { createAgentSockets } from './stream/agent-sockets.ts';
import { endStrayAnswer } from './stray-answer.ts';
import { resumeCalls, takeOverFrom } from './take-over.ts';
import { TrunkAddresses } from './trunk-addresses.ts';
import { TrunkRegistrations } from './trunk-registrations.ts';
import type { VoiceContext } from './voice-context.ts';
import { serveWebCalls } from './web-calls.ts';
import { openWebRtc } from './web-rtc.ts';

/** How long calls that were hung up after the drain may take to store their facts, milliseconds. */
const STORE_LIMIT_MS = 5_000;

/** A voice process, not yet started. */
export function createVoiceApp(settings: VoiceSettings, log: Log): Service {
  const { core, leases, close: closeDatabases } = openCoreContexts(settings, log);
  const media = createRtpMediaFactory({ clock: systemClock, log, ports: settings.RTP_PORTS });
  const endpoint = openEndpoint(settings, log, media);
  const engines = createEngines({ clock: systemClock, log, sounds: new RecordedSounds(core) });
  const reportToFleet = (): void => report(childReport({ endpoint, calls, lease }));
  const calls = new LiveCalls(settings.VOICE_CAPACITY, reportToFleet);
  const loopDelay = new LoopDelay();
  const recognition = (): RecognitionSupport => engines.recognition();
  const onRegistered = (taken: readonly TakenCall[]): void => {
    reportToFleet();
    resumeCalls(voice, taken);
  };
  const lease = openLease({ settings, core: leases, calls, loopDelay, recognition, onRegistered });
  const { http, owners, embedder } = openClients(settings, log);
  const webRtc = openWebRtc(settings, systemClock, log);
  const parts = { core, endpoint, engines, calls, lease, owners, http, embedder, webRtc };
  const voice = openVoice(settings, log, parts);
  const registrations = openRegistrations(settings, voice);
  const server = openControl(settings, voice);
  listenToEndpoint(voice);
  const [hurried, stopping] = [new AbortController(), new AbortController()];

  return {
    hurry: () => hurried.abort(),
    async start() {
      listenToFleet(voice, stopping.signal);
      loopDelay.start();
      media.start();
      webRtc?.factory.start();
      await engines.start();
      await endpoint.start();
      await listen(server, settings.VOICE_LISTEN);
      await lease.start();
      await registrations.start();
      reportToFleet();
      log.info({ sip: endpoint.address() }, 'Voice is ready');
    },
    async stop() {
      stopping.abort();
      calls.drain();
      // The next calls go to a process that takes them.
      await registrations.stop();
      await calls.whenEmpty(systemClock, settings.DRAIN_LIMIT * 1000, hurried.signal);
      calls.hangUpAll({ by: 'system', reason: 'shutdown' });
      await calls.whenEmpty(systemClock, STORE_LIMIT_MS);
      await voice.evaluations.close();
      await lease.stop();
      loopDelay.stop();
      await close(server);
      await endpoint.stop();
      await settleInTime(voice.background, log);
      await owners.close();
      await media.stop();
      await webRtc?.factory.stop();
      await engines.stop();
      await http.close();
      await embedder.close();
      await closeDatabases();
    },
  };
}

/** For the fleet. */
function childReport({
  endpoint,
  calls,
  lease,
}: Pick<VoiceContext, 'endpoint' | 'calls' | 'lease'>): ChildReport {
  const { free: freeCalls, freeQueueSlots } = calls;
  const registered = lease.isRegistered() ? lease.fence() : {};
  return { sipPort: endpoint.address().port, freeCalls, freeQueueSlots, ...registered };
}

function openVoice(
  settings: VoiceSettings,
  log: Log,
  parts: Pick<
    VoiceContext,
    'core' | 'endpoint' | 'engines' | 'calls' | 'lease' | 'owners' | 'http' | 'embedder' | 'webRtc'
  >,
): VoiceContext {
  const { core, engines, http, embedder } = parts;
  const models = { core, openModel: (access: ProviderAccess) => engines.model(access) };
  return {
    ...parts,
    agents: createAgentSockets(settings.WEBHOOK_ALLOW_PRIVATE),
    background: new BackgroundWork(log),
    evaluations: new Evaluations(models),
    replies: new WrittenReplies({ ...models, http, embedder }),
    trunkAddresses: new TrunkAddresses(core),
    ringLimitMs: settings.RING_LIMIT * 1000,
  };
}

/** Never rejects. */
async function settleInTime(background: BackgroundWork, log: Log): Promise<void> {
  await withDeadline(systemClock, STORE_LIMIT_MS, background.settled()).catch((error: unknown) =>
    log.error({ err: error }, 'Background work did not finish before the stop'),
  );
}

function listenToFleet(voice: VoiceContext, signal: AbortSignal): void {
  const { background, lease } = voice;
  receiveFromFleet((lost) => {
    if (!lease.isRegistered()) return;
    background.start('take over the calls of a lost process', async () => {
      await takeOverFrom(voice, lost);
    });
  }, signal);
}

function listenToEndpoint(voice: VoiceContext): void {
  const { endpoint, background } = voice;
  endpoint.onIncoming((leg, info) => {
    background.start('take an incoming call', () => takeInboundCall(voice, leg, info));
  });
  endpoint.onStrayAnswer((answer) => {
    background.start('end an answered call of a lost process', () => endStrayAnswer(voice, answer));
  });
}

/** The clients that send HTTP requests. */
function openClients(
  { WEBHOOK_ALLOW_PRIVATE: allowPrivate }: VoiceSettings,
  log: Log,
): { http: GuardedClient; owners: GuardedClient; embedder: Embedder } {
  return {
    http: createGuardedClient({ clock: systemClock, allowPrivate }),
    owners: createGuardedClient({ clock: systemClock, allowPrivate, timeLimitMs: OWNER_LIMIT_MS }),
    embedder: createEmbedder({ clock: systemClock, log }),
  };
}

function openEndpoint(
  settings: VoiceSettings,
  log: Log,
  media: Parameters<typeof createSipEndpoint>[0]['media'],
): SipEndpoint {
  return createSipEndpoint({
    clock: systemClock,
    log,
    media,
    listen: settings.SIP_LISTEN,
    tls: tlsOptions(settings),
    userAgent: 'Parley',
    allowPrivateTrunks: settings.TRUNK_ALLOW_PRIVATE,
    identityCertificates: readIdentityCertificates(settings.STIR_CERT_FILE),
    ...(settings.SIP_FRONT
      ? {
          front: settings.SIP_FRONT,
          onStranger: reportStranger,
          onTrusted: reportTrusted,
          onResumed: reportResumed,
        }
      : {}),
    ...(settings.SIP_PUBLIC_ADDRESS ? { publicAddress: settings.SIP_PUBLIC_ADDRESS } : {}),
    ...(settings.RTP_PUBLIC_ADDRESS ? { publicMediaAddress: settings.RTP_PUBLIC_ADDRESS } : {}),
  });
}

function openLease(given: {
  settings: VoiceSettings;
  core: CoreContext;
  calls: LiveCalls;
  loopDelay: LoopDelay;
  recognition: () => RecognitionSupport;
  onRegistered: (taken: readonly TakenCall[]) => void;
}): VoiceLease {
  const { settings, core, calls, loopDelay, recognition, onRegistered } = given;
  const { host, port } = settings.VOICE_LISTEN;
  const sip = settings.SIP_LISTEN;
  return new VoiceLease({
    core,
    url: settings.VOICE_URL ?? `http://${host}:${port}`,
    sipAddress: `${settings.SIP_PUBLIC_ADDRESS ?? sip.host}:${sip.port}`,
    capacity: calls.capacity,
    recognition,
    load: () => {
      const { capacity, size: activeCalls, isDraining } = calls;
      const carried = { capacity, activeCalls, loopDelayMs: loopDelay.take() };
      return { activeCalls, isDraining, admittedCalls: admittedCalls(carried) };
    },
    onFenced: async (fence) => calls.giveUpAll(new Set(await findCallsOfOthers(core, calls.ids, fence))),
    onRegistered: (_fence, taken) => onRegistered(taken),
  });
}

/** Behind a front, the registrar sends calls to the front. */
function openRegistrations(
  { SIP_FRONT: front, SIP_PUBLIC_ADDRESS: host, SIP_TLS_PORT: tlsPort }: VoiceSettings,
  { core, endpoint, background }: VoiceContext,
): TrunkRegistrations {
  const contactAddress = front && { host: host ?? front.host, port: front.port, tlsPort };
  return new TrunkRegistrations({
    core,
    endpoint,
    background,
    ...(contactAddress ? { contactAddress } : {}),
  });
}

function openControl(settings: VoiceSettings, voice: VoiceContext): Server {
  const access = new InternalAccess(settings.INTERNAL_SECRET);
  const server = createLimitedServer(
    createControl(voice, access, {
      database: () => voice.core.db.ping().then(() => null),
      lease: () => (voice.lease.isRegistered() ? null : 'not registered'),
      capacity: () => (voice.calls.isDraining ? 'draining' : null),
    }),
  );
  access.watch(server);
  serveWebCalls(server, voice, access);
  return server;
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
