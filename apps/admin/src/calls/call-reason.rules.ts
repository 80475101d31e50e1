/**
 * The words of events and reasons, for people. What is not listed here is shown as the word itself with
 * its separators opened, so that a new word is readable before this list knows it.
 */

const SENTENCES: Record<string, string> = {
  answered: 'Answered',
  answered_by: 'Who answered',
  assistant_hung_up: 'The assistant hung up',
  assistant_transfer: 'Handed over to another assistant',
  busy: 'Busy',
  call_bridge: 'Another telephone was called for the caller',
  call_bridge_answered: 'The caller was put through over this installation',
  call_bridge_ended: 'The other telephone was not reached',
  call_transfer: 'The caller was put through',
  call_transfer_refused: 'The caller could not be put through',
  caller_cancelled: 'The caller gave up before the answer',
  campaign_stopped: 'The campaign was stopped',
  customer_hung_up: 'The customer hung up',
  duration_limit: 'The longest allowed duration was reached',
  end_call: 'The assistant ended the conversation',
  evaluated: 'Evaluated',
  evaluation_skipped: 'Not evaluated',
  hang_up_requested: 'An operator hung up',
  invalid_answer: 'The answer of the model did not fit the form',
  line_lost: 'The line was lost',
  max_duration: 'The longest allowed duration was reached',
  model_failed: 'The language model failed',
  no_answer: 'Nobody answered',
  no_capacity: 'No voice process had room',
  no_llm: 'No model for it is set up',
  not_connected: 'The call was never connected',
  nothing_said: 'The customer said nothing',
  operator: 'An operator hung up',
  process_lost: 'The process that held the call died',
  recording_failed: 'The recording failed; the call went on without it',
  rejected: 'The other side refused the call',
  settled: 'Everything is settled',
  shutdown: 'The voice service was stopped',
  silence_limit: 'Nobody said anything for too long',
  sip_status: 'SIP status',
  timed_out: 'It took too long',
  unreachable: 'The line could not be reached',
  unavailable: 'The line said that it is out of order',
  voicemail: 'A machine answered',
  voicemail_message: 'A message was left on a machine',
};

/** `max_duration`, `max-duration` or `maxDuration` becomes a sentence; unknown words become readable as they are. */
export function describeReason(reason: string): string {
  const words = reason
    .trim()
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[_\s-]+/g, ' ')
    .toLowerCase();
  return SENTENCES[words.replaceAll(' ', '_')] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
