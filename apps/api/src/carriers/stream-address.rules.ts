/** The addresses at which carriers connect the streams of calls. */

const STREAM_PATH = /^\/carriers\/(\d{1,15})\/calls\/(\d{1,15})\/stream$/;

/** @param path - of a request, without its query @returns null for another path */
export function readStreamAddress(path: string): { accountId: number; callId: number } | null {
  const [, accountId, callId] = STREAM_PATH.exec(path) ?? [];
  if (accountId === undefined || callId === undefined) return null;
  return { accountId: Number(accountId), callId: Number(callId) };
}
