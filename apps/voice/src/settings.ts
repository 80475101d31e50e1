/** Everything the voice process can be told from outside. docs/settings.md says the same in words. */
import { listenAddress, logSettings, parseSettings, portRange, secret } from '@parley/runtime';
import { z } from 'zod';

const schema = z.object({
  DATABASE_URL: z.string(),
  /** Past a pooler: leases and row locks need a connection of their own. */
  DATABASE_URL_DIRECT: z.string().optional(),
  SECRET_KEY: secret,
  INTERNAL_SECRET: secret,
  DATA_DIR: z.string().default('.parley'),
  PUBLIC_URL: z.url().optional(),
  /** Where the private contract is served. */
  VOICE_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 3002 }),
  /** How api and worker reach this process; by default the listen address. */
  VOICE_URL: z.url().optional(),
  SIP_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 5060 }),
  /** The address written into Via and Contact when it differs from the one listened on. */
  SIP_PUBLIC_ADDRESS: z.string().optional(),
  /** The address written into SDP when it differs from the one listened on. */
  RTP_PUBLIC_ADDRESS: z.string().optional(),
  RTP_PORTS: portRange.default({ first: 40_000, last: 40_999 }),
  /** Processes that carry calls on this machine, each with its own ports (apps/voice/src/fleet). */
  VOICE_PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  /** A SIP proxy of our own in front of this process; who is behind it is read from its Via. */
  SIP_FRONT: listenAddress.optional(),
  /** Calls each process takes at once. */
  VOICE_CAPACITY: z.coerce.number().int().min(1).max(400).default(50),
  /** How long a phone may ring, seconds. */
  RING_LIMIT: z.coerce.number().int().min(5).max(180).default(45),
  /** How long running calls may go on after SIGTERM, seconds. */
  DRAIN_LIMIT: z.coerce.number().int().min(0).max(3600).default(30),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  /** Which non-public addresses the trunks of members may have; those of operators may have any. */
  TRUNK_ALLOW_PRIVATE: z.enum(['none', 'loopback', 'all']).default('none'),
  ...logSettings,
});

export type VoiceSettings = z.infer<typeof schema>;

/** @throws SettingsError naming every fault */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): VoiceSettings {
  return parseSettings(schema, environment);
}

/** The whole environment as it was given, to be handed on to processes of the fleet. */
export function givenEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}
