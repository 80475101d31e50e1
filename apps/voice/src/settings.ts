/** The settings of the voice process; docs/settings.md describes them. */
import { listenAddress, logSettings, parseSettings, portRange, secret, secrets } from '@parley/runtime';
import type { TlsOptions } from '@parley/telephony';
import { z } from 'zod';

/** Values separated by commas. */
function listOf<Item extends z.ZodType<string, string>>(item: Item) {
  return z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .pipe(z.array(item).max(8));
}

const fields = z.object({
  DATABASE_URL: z.string(),
  /** A direct connection, not through a pooler: leases and row locks need a session. */
  DATABASE_URL_DIRECT: z.string().optional(),
  SECRET_KEY: secret,
  OTHER_SECRET_KEYS: secrets,
  INTERNAL_SECRET: secret,
  DATA_DIR: z.string().default('.parley'),
  PUBLIC_URL: z.url().optional(),
  /** Where the internal contract is served. */
  VOICE_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 3002 }),
  /** How the api and the worker reach this process; default: the listen address. */
  VOICE_URL: z.url().optional(),
  SIP_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 5060 }),
  /** SIP over TLS, on the host of SIP_LISTEN. Calls are accepted over TLS when there are a certificate and a key (PEM). */
  SIP_TLS_PORT: z.coerce.number().int().min(0).max(65_535).default(5061),
  SIP_TLS_CERT_FILE: z.string().optional(),
  SIP_TLS_KEY_FILE: z.string().optional(),
  /** Certificates to trust besides those of the system (PEM). */
  SIP_TLS_CA_FILE: z.string().optional(),
  /** Certificates (PEM) whose keys may sign the identity of callers (STIR/SHAKEN); without it nothing is verified. */
  STIR_CERT_FILE: z.string().optional(),
  /** The address in Via and Contact, if it differs from the listen address. */
  SIP_PUBLIC_ADDRESS: z.string().optional(),
  /** The address in SDP, if it differs from the listen address. */
  RTP_PUBLIC_ADDRESS: z.string().optional(),
  RTP_PORTS: portRange.default({ first: 40_000, last: 40_999 }),
  /** UDP ports for calls of browsers over WebRTC, one for each; `off`: over WebSockets only. */
  WEBRTC_PORTS: z
    .literal('off')
    .transform(() => null)
    .or(portRange)
    .default({ first: 42_000, last: 42_999 }),
  /** The addresses under which browsers reach those ports, if they differ from the listen address. */
  WEBRTC_PUBLIC_ADDRESS: listOf(z.union([z.ipv4(), z.ipv6()])),
  /** STUN and TURN servers for browsers. */
  WEBRTC_ICE_SERVERS: listOf(
    z.string().regex(/^(?:stuns?|turns?):[\w.:[\]-]{1,253}(?:\?transport=(?:udp|tcp))?$/),
  ),
  /** Signs the credentials of browsers for the TURN servers, which have it too. */
  WEBRTC_TURN_SECRET: z.string().min(16).optional(),
  /** Number of voice processes on this machine, each with its own ports (apps/voice/src/fleet). */
  VOICE_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  /** Our own SIP proxy in front of this process; the real source is read from the Via header that it completes. */
  SIP_FRONT: listenAddress.optional(),
  /** Concurrent calls per process. */
  VOICE_CAPACITY: z.coerce.number().int().min(1).max(400).default(50),
  /** How long a phone may ring, seconds. */
  RING_LIMIT: z.coerce.number().int().min(5).max(180).default(45),
  /** How long running calls may go on after SIGTERM, seconds. */
  DRAIN_LIMIT: z.coerce.number().int().min(0).max(3600).default(900),
  /** Days for which a URL of a recording is valid; 0: as long as the recording exists. */
  RECORDING_LINK_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** Which non-public addresses the trunks of members may have; those of operators may have any. */
  TRUNK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** An address in place of Twilio's own, for simulators. */
  TWILIO_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  TELNYX_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  ...logSettings,
});

const schema = fields
  .refine(
    ({ SIP_TLS_CERT_FILE: cert, SIP_TLS_KEY_FILE: key }) => (cert === undefined) === (key === undefined),
    {
      path: ['SIP_TLS_KEY_FILE'],
      error: 'SIP_TLS_CERT_FILE and SIP_TLS_KEY_FILE belong together',
    },
  )
  .refine(
    ({ WEBRTC_ICE_SERVERS: servers, WEBRTC_TURN_SECRET: turnSecret }) =>
      turnSecret !== undefined || servers.every((url) => !url.startsWith('turn')),
    { path: ['WEBRTC_TURN_SECRET'], error: 'TURN servers need the secret that signs credentials for them' },
  );

export type VoiceSettings = z.infer<typeof fields>;

/** @throws SettingsError listing every fault */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): VoiceSettings {
  return parseSettings(schema, environment);
}

/** The port and the files of SIP over TLS. */
export function tlsOptions(settings: VoiceSettings): TlsOptions {
  return {
    port: settings.SIP_TLS_PORT,
    certFile: settings.SIP_TLS_CERT_FILE,
    keyFile: settings.SIP_TLS_KEY_FILE,
    caFile: settings.SIP_TLS_CA_FILE,
  };
}

/** The unparsed environment, which the fleet passes on to its processes. */
export function givenEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}
