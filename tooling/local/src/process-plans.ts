/** The processes of an installation and their environment. */
import { join } from 'node:path';
import type { ChildPlan } from '@parley/runtime';
import type { LocalDatabase } from './local-database.ts';
import type { Secrets } from './data-folder.ts';
import { repository, type Environment, type LocalSettings } from './settings.ts';
import type { WantedPort } from './port-check.ts';

/** Time for a stop after the drain of running calls, milliseconds. */
const STOP_MARGIN_MS = 15_000;

/** Where the processes of this installation answer on this machine. */
export interface Addresses {
  /** The URL of the api as browsers and integrators use it. */
  publicUrl: string;
  /** The URL of the api from this machine. */
  api: string;
  worker: string;
  voice: string;
}

export function addressesOf(settings: LocalSettings): Addresses {
  const api = urlOf(settings.HOST, settings.PORT);
  return {
    publicUrl: settings.PUBLIC_URL?.replace(/(?<!\/)\/+$/, '') ?? api,
    api,
    worker: urlOf(settings.WORKER_HOST, settings.WORKER_PORT),
    voice: urlOf(settings.VOICE_LISTEN.host, settings.VOICE_LISTEN.port),
  };
}

/** An address that listens on everything is reached from here on loopback. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The environment of every process: that of the supervisor, and the values that it found or generated. */
export function environmentFor(
  given: Environment,
  { settings, secrets, database }: { settings: LocalSettings; secrets: Secrets; database: LocalDatabase },
): Record<string, string | undefined> {
  return {
    ...given,
    DATABASE_URL: database.url,
    DATABASE_URL_DIRECT: database.directUrl,
    SECRET_KEY: secrets.SECRET_KEY,
    INTERNAL_SECRET: secrets.INTERNAL_SECRET,
    DATA_DIR: settings.DATA_DIR,
    PUBLIC_URL: addressesOf(settings).publicUrl,
    WEBHOOK_ALLOW_PRIVATE: settings.WEBHOOK_ALLOW_PRIVATE,
  };
}

/** In the order in which they are shown; they start together. */
export function planProcesses(settings: LocalSettings, environment: ChildPlan['environment']): ChildPlan[] {
  const plan = (name: string, script: string, stopLimitMs = STOP_MARGIN_MS): ChildPlan => ({
    name,
    script: join(repository, script),
    environment,
    stopLimitMs,
  });
  return [
    plan('api', 'apps/api/src/main.ts'),
    plan('worker', 'apps/worker/src/main.ts'),
    plan('voice', 'apps/voice/src/main.ts', settings.DRAIN_LIMIT * 1_000 + STOP_MARGIN_MS),
    plan('phones', 'tooling/phones/src/main.ts'),
  ];
}

/** Every port of the processes, except the RTP ranges, of which single ports may be in use. */
export function wantedPorts(settings: LocalSettings): WantedPort[] {
  return [
    { variable: 'PORT', host: settings.HOST, port: settings.PORT, protocols: ['tcp'] },
    { variable: 'WORKER_PORT', host: settings.WORKER_HOST, port: settings.WORKER_PORT, protocols: ['tcp'] },
    ...consecutive('VOICE_LISTEN', settings.VOICE_LISTEN, settings.VOICE_PROCESSES).map(tcpOnly),
    ...sipPorts(settings),
    { variable: 'PHONES_LISTEN', ...settings.PHONES_LISTEN, protocols: ['udp'] },
  ];
}

/**
 * A fleet has a front at the first port and its processes at the ports behind it (apps/voice/src/fleet). With a certificate the
 * port for TLS is left out of them.
 */
function sipPorts({
  VOICE_PROCESSES,
  SIP_LISTEN,
  SIP_TLS_PORT,
  SIP_TLS_CERT_FILE,
}: LocalSettings): WantedPort[] {
  const count = VOICE_PROCESSES > 1 ? VOICE_PROCESSES + 1 : 1;
  if (SIP_TLS_CERT_FILE === undefined) return consecutive('SIP_LISTEN', SIP_LISTEN, count);
  const others = consecutive('SIP_LISTEN', SIP_LISTEN, count + 1).filter(({ port }) => port !== SIP_TLS_PORT);
  const tls = { variable: 'SIP_TLS_PORT', host: SIP_LISTEN.host, port: SIP_TLS_PORT };
  return [...others.slice(0, count), { ...tls, protocols: ['tcp'] }];
}

function consecutive(
  variable: string,
  { host, port }: { host: string; port: number },
  count: number,
): WantedPort[] {
  return Array.from({ length: count }, (_, index) => ({
    variable,
    host,
    port: port + index,
    protocols: ['udp', 'tcp'],
  }));
}

function tcpOnly(wanted: WantedPort): WantedPort {
  return { ...wanted, protocols: ['tcp'] };
}
