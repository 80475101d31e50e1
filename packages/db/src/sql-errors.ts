/** The Postgres errors that use cases handle. @see PostgreSQL manual, appendix A */

const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** True if a row with the same key exists; `constraint` narrows it to one index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const fault = postgresFault(error);
  return fault?.code === UNIQUE_VIOLATION && (constraint === undefined || fault.constraint === constraint);
}

/** True if a referenced row was deleted, or a row refers to a missing one. */
export function isForeignKeyViolation(error: unknown): boolean {
  return postgresFault(error)?.code === FOREIGN_KEY_VIOLATION;
}

/** True if the same transaction may succeed when it is retried. */
export function isSerializationFailure(error: unknown): boolean {
  const code = postgresFault(error)?.code;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** True if a lock was not acquired within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return postgresFault(error)?.code === LOCK_NOT_AVAILABLE;
}

/**
 * Classes of SQLSTATE that repeat with every attempt: cardinality violation, data exception, integrity constraint
 * violation, syntax error or access rule violation, program limit exceeded.
 */
const PERMANENT_CLASSES: readonly string[] = ['21', '22', '23', '42', '54'];

/** True if the same statement with the same values would fail again. */
export function isPermanentFault(error: unknown): boolean {
  const code = postgresFault(error)?.code;
  return (
    typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) && PERMANENT_CLASSES.includes(code.slice(0, 2))
  );
}

/** Classes of SQLSTATE that pass by themselves: connection exception, insufficient resources (a full disk), system error. */
const UNAVAILABLE_CLASSES: readonly string[] = ['08', '53', '58'];

/** SQLSTATEs of a server that stops or starts, and of a lock that another transaction holds for long. */
const UNAVAILABLE_STATES = ['57P01', '57P02', '57P03', '57P05', LOCK_NOT_AVAILABLE];
const SOCKET_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([...UNAVAILABLE_STATES, ...SOCKET_ERRORS]);

/** What the driver reports without a code when it has no connection. */
const LOST_CONNECTION = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end on the pool',
];

/** True when Postgres cannot be reached, stops, or lacks resources: the same request may well succeed soon. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = postgresFault(error)?.code;
  if (typeof code === 'string') return UNAVAILABLE_CODES.has(code) || isOfUnavailableClass(code);
  return LOST_CONNECTION.some((text) => error.message.startsWith(text));
}

function isOfUnavailableClass(code: string): boolean {
  return /^[\dA-Z]{5}$/.test(code) && UNAVAILABLE_CLASSES.includes(code.slice(0, 2));
}

function postgresFault(error: unknown): { code?: unknown; constraint?: unknown } | null {
  return error instanceof Error && 'code' in error ? error : null;
}
