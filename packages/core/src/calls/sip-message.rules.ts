/** Reads of a stored SIP message what a list shows. */

const STATUS_LINE = /^SIP\/2\.0 (\d{3}) ?([^\r\n]*)/;
const METHOD = /^([A-Z]{1,20}) /;
const SEQUENCE = /^cseq[ \t]*:[ \t]*\d+[ \t]+([A-Z]{1,20})/im;
const LONGEST_REASON = 60;

/** The method of a request; the status, reason and method of a response: `200 OK (INVITE)`. */
export function summaryOf(text: string): string {
  const response = STATUS_LINE.exec(text);
  if (!response) return METHOD.exec(text)?.[1] ?? 'SIP';
  const method = SEQUENCE.exec(text)?.[1];
  const reason = (response[2] ?? '').slice(0, LONGEST_REASON).trim();
  return [response[1], reason, method === undefined ? '' : `(${method})`].filter(Boolean).join(' ');
}

/** `192.0.2.1:5060`, `[2001:db8::1]:5060`. */
export function formatAddress({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

const CHALLENGES: readonly number[] = [401, 407];

/** The last final response of the far end to an INVITE, without challenges; null when none came. */
export function inviteStatusOf(messages: readonly { isSent: boolean; text: string }[]): number | null {
  const statuses = messages.flatMap(({ isSent, text }) => {
    const status =
      isSent || SEQUENCE.exec(text)?.[1] !== 'INVITE' ? 0 : Number(STATUS_LINE.exec(text)?.[1] ?? 0);
    return status >= 200 && !CHALLENGES.includes(status) ? [status] : [];
  });
  return statuses.at(-1) ?? null;
}
