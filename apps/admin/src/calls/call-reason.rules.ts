/**
 * The words of events and reasons, for people. What is not listed here is shown as the word itself with
 * its separators opened, so that a new word is readable before this list knows it.
 */

const SENTENCES: Record<string, string> = {
  answered: 'Answered',
  assistant_hung_up: 'The assistant hung up',
  campaign_stopped: 'The campaign was stopped',
  customer_hung_up: 'The customer hung up',
  line_lost: 'The line was lost',
  max_duration: 'The longest allowed duration was reached',
  max_silence: 'Nobody said anything for too long',
  no_answer: 'Nobody answered',
  operator: 'An operator hung up',
  process_lost: 'The process that held the call died',
  settled: 'Everything is settled',
  sip_status: 'SIP status',
};

/** `max_duration` or `max-duration` becomes a sentence; unknown words become readable as they are. */
export function describeReason(reason: string): string {
  const words = reason.trim().replaceAll(/[_\s-]+/g, ' ');
  return SENTENCES[words.replaceAll(' ', '_')] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
