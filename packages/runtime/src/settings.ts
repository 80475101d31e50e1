/**
 * Settings come from environment variables, once per process, through a schema. All faults are reported together.
 */
import { z } from 'zod';

/** Exit code of a process that was configured wrongly (EX_CONFIG of sysexits.h). */
export const EXIT_BAD_SETTINGS = 78;

/** Thrown by {@link parseSettings}; the message lists every fault, a line each. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings are not complete:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/**
 * Reads an environment through a schema. An empty variable counts as missing.
 *
 * @throws SettingsError naming every variable that is missing or wrong
 */
export function parseSettings<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.infer<Schema> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new SettingsError(
    result.error.issues.map((issue) => `${issue.path.join('.')}: ${describe(issue, given)}`),
  );
}

function describe(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const isMissing = given[String(issue.path[0])] === undefined;
  return isMissing ? 'is required and missing' : issue.message;
}

/** `1`, `true`, `yes`, `on` and their opposites; anything else is a fault. */
export const flag = z
  .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'])
  .transform((text) => ['1', 'true', 'yes', 'on'].includes(text));

/** A TCP or UDP port. 0 lets the system choose. */
export const port = z.coerce.number().int().min(0).max(65_535);

/** `address:port`, for example `127.0.0.1:5060` or `[::1]:5060`. */
export const listenAddress = z.string().transform((text, context) => {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const number = Number(match?.[3]);
  if (!match || number > 65_535) {
    context.addIssue({ code: 'custom', message: 'must look like 127.0.0.1:5060' });
    return z.NEVER;
  }
  return { host: match[1] ?? match[2] ?? '', port: number };
});

/** `40000-40999`: first and last port of a range, both included. */
export const portRange = z.string().transform((text, context) => {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const range = { first: Number(match?.[1]), last: Number(match?.[2]) };
  if (!match || range.first >= range.last || range.last > 65_535) {
    context.addIssue({ code: 'custom', message: 'must look like 40000-40999' });
    return z.NEVER;
  }
  return range;
});

/** A secret that encrypts or signs; at least 32 characters. */
export const secret = z.string().min(32, 'must have at least 32 characters');

/** Further secrets, separated by commas. */
export const secrets = z
  .string()
  .default('')
  .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
  .pipe(z.array(secret));

const retentionDays = z.coerce.number().int().min(0).max(3650).default(0);

/** Days for which data is kept; 0: without limit. Spread into the schemas of the worker, which removes data, and of the api. */
export const retentionSettings = {
  RECORDING_DAYS: retentionDays,
  TRANSCRIPT_DAYS: retentionDays,
  CALL_NUMBER_DAYS: retentionDays,
  /** Finished webhooks. */
  WEBHOOK_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  /** SIP messages contain numbers, so that there is no unlimited period. */
  SIP_TRACE_DAYS: z.coerce.number().int().min(1).max(365).default(7),
  AUDIT_LOG_DAYS: retentionDays,
  /** Every request of an API token is an entry, so that there is no unlimited period. */
  API_LOG_DAYS: z.coerce.number().int().min(1).max(365).default(14),
  CONSENT_DAYS: retentionDays,
};

/** Which log lines are written, and whether personal data may stand in them. Spread into each app's schema. */
export const logSettings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  LOG_PERSONAL_DATA: flag.default(false),
};
