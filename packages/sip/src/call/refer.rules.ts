/**
 * The state machine of a transfer by REFER (RFC 3515), until its outcome is known. The REFER creates an implicit
 * subscription: the far end reports with NOTIFY, which may overtake its own response to the REFER.
 *
 * | state    | waits for                                       | left by timer                                |
 * |----------|-------------------------------------------------|----------------------------------------------|
 * | sent     | the response to the REFER                       | the transaction's F (`unanswered`)           |
 * | accepted | a NOTIFY with a final status                    | `limit`, set by the application              |
 * | over     | nothing; late reports are answered and ignored  | none: it ends with the dialog                |
 */

export type ReferState = 'sent' | 'accepted' | 'over';

export type ReferEvent =
  | 'accepted' // 2xx to the REFER
  | 'refused' // any other final response: the far end has placed no call
  | 'unanswered' // no response, or the REFER could not be sent
  | 'succeeded' // a NOTIFY reports that the transfer target has answered
  | 'failed' // a NOTIFY reports that it has not
  | 'unsubscribed' // the subscription ended without a final status
  | 'limit'
  | 'dialog-over';

/** The outcome of a transfer. `unknown`: the target may have been called or may still be ringing. */
export type ReferResult = 'success' | 'refusal' | 'failure' | 'unknown';

/** The next state, and the result once it is known. */
export interface ReferStep {
  next: ReferState;
  result: ReferResult | null;
}

const over = (result: ReferResult): ReferStep => ({ next: 'over', result });

/** Transitions that both waiting states share. */
const REPORTED = {
  succeeded: over('success'),
  failed: over('failure'),
  unsubscribed: over('unknown'),
  limit: over('unknown'),
  'dialog-over': over('unknown'),
} as const;

/** Missing entries are ignored: late and repeated reports are normal. */
export const REFER_TABLE: Readonly<Record<ReferState, Partial<Record<ReferEvent, ReferStep>>>> = {
  sent: {
    ...REPORTED,
    accepted: { next: 'accepted', result: null },
    refused: over('refusal'),
    unanswered: over('unknown'),
  },
  accepted: REPORTED,
  over: {},
};

/** The status in a report (`message/sipfrag`, RFC 3420): its first line is a status line. Null if there is none. */
export function statusOfFragment(body: string): number | null {
  const status = /^SIP\/2\.0 ([1-6]\d\d)(?:[ \r\n]|$)/.exec(body)?.[1];
  return status === undefined ? null : Number(status);
}

/**
 * Whether a NOTIFY belongs to this REFER. `Event: refer` without an id belongs to the first one of the dialog (RFC 3515
 * section 2.4.6).
 *
 * @param sequences - the CSeq numbers it was sent with
 */
export function isReportOf(event: string | null, sequences: readonly number[]): boolean {
  const [name = '', ...parameters] = (event ?? '').split(';').map((part) => part.trim());
  if (name.toLowerCase() !== 'refer') return false;
  const id = parameters.find((parameter) => parameter.toLowerCase().startsWith('id='))?.slice(3);
  return id === undefined || sequences.some((sequence) => String(sequence) === id);
}
