/** Settings of the simulated phone network. All of them have defaults that suit a fresh installation. */
import { join } from 'node:path';
import { z } from 'zod';
import { listenAddress, logSettings, parseSettings, portRange } from '@parley/runtime';

/** `500-1500`: shortest and longest, milliseconds. */
const duration = z.string().transform((text, context) => {
  const match = /^(\d{1,7})-(\d{1,7})$/.exec(text);
  const range = { first: Number(match?.[1]), last: Number(match?.[2]) };
  if (!match || range.first > range.last) {
    context.addIssue({ code: 'custom', message: 'must look like 500-1500 (milliseconds)' });
    return z.NEVER;
  }
  return range;
});

const schema = z.object({
  ...logSettings,
  DATA_DIR: z.string().default('.parley'),
  PHONES_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 5070 }),
  PHONES_RTP_PORTS: portRange.default({ first: 41_000, last: 41_999 }),
  PHONES_LOG: z.string().optional(),
  PHONES_SEED: z.coerce.number().int().default(1),
  PHONES_RING_MS: duration.default({ first: 500, last: 1500 }),
  PHONES_ANSWER_RATE: z.coerce.number().min(0).max(1).default(0.3),
  PHONES_TALK_MS: duration.default({ first: 3000, last: 15_000 }),
});

/** Reads the settings from the environment. @throws SettingsError */
export function readSettings(environment: Readonly<Record<string, string | undefined>>) {
  const settings = parseSettings(schema, environment);
  return { ...settings, PHONES_LOG: settings.PHONES_LOG ?? join(settings.DATA_DIR, 'phones.jsonl') };
}
