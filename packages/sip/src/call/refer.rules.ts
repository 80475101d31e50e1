/**
 * A far end that was asked to call somebody else (REFER, RFC 3515), until it is known what came of it. The request makes
 * a subscription by itself; the far end reports with NOTIFY, which may overtake its own answer to the REFER.
 *
 * | state    | waits for                                       | left by timer                                |
 * |----------|-------------------------------------------------|----------------------------------------------|
 * | asked    | the answer to the REFER                         | the transaction's F (`unanswered`)           |
 * | accepted | a NOTIFY with a final status                    | `limit`, set by whoever asked                |
 * | over     | nothing; late reports are answered and ignored  | none: it ends with the dialog                |
 */

/** Where it stands. */
export type ReferState = 'asked' | 'accepted' | 'over';

/** What can happen. */
export type ReferEvent =
  | 'accepted' // 2xx to the REFER
  | 'refused' // any other final response: nobody was called
  | 'unanswered' // no response, or it could not be sent
  | 'succeeded' // reported: the other end has answered
  | 'failed' // reported: it has not
  | 'unsubscribed' // the far end reports no more, and never said how it went
  | 'limit'
  | 'dialog-over';

/** What came of it. `unknown`: somebody may have been called, or may still be. */
export type ReferResult = 'success' | 'refusal' | 'failure' | 'unknown';

/** The next state, and the result where it is known now. */
export interface ReferStep {
  next: ReferState;
  result: ReferResult | null;
}

const over = (result: ReferResult): ReferStep => ({ next: 'over', result });

/** The same in both states that wait. */
const REPORTED = {
  succeeded: over('success'),
  failed: over('failure'),
  unsubscribed: over('unknown'),
  limit: over('unknown'),
  'dialog-over': over('unknown'),
} as const;

/** Missing entries are ignored: late and repeated reports are normal. */
export const REFER_TABLE: Readonly<Record<ReferState, Partial<Record<ReferEvent, ReferStep>>>> = {
  asked: {
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
 * Whether a report speaks of this REFER. `Event: refer` without an id speaks of the only one (RFC 3515 section 2.4.6).
 *
 * @param sequences - the CSeq numbers it was sent with
 */
export function isReportOf(event: string | null, sequences: readonly number[]): boolean {
  const [name = '', ...parameters] = (event ?? '').split(';').map((part) => part.trim());
  if (name.toLowerCase() !== 'refer') return false;
  const id = parameters.find((parameter) => parameter.toLowerCase().startsWith('id='))?.slice(3);
  return id === undefined || sequences.some((sequence) => String(sequence) === id);
}
