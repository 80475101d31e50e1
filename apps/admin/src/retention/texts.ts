/** The texts of the page that shows how long data is kept. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  title: 'Data retention',
  subtitle: 'How long this installation keeps each kind of data. A run every night removes what is older.',
  count: 'Count what the next run removes',
  columns: {
    data: 'Data',
    kept: 'Kept for',
    expired: 'Next run removes',
  },
  kinds: {
    recordings: { label: 'Recordings', setting: 'RECORDING_DAYS' },
    transcripts: {
      label: 'Transcripts, tool calls and evaluations of calls, and their replays',
      setting: 'TRANSCRIPT_DAYS',
    },
    call_numbers: { label: 'Numbers of customers in calls, and text messages', setting: 'CALL_NUMBER_DAYS' },
    deliveries: { label: 'Webhook deliveries', setting: 'WEBHOOK_LOG_DAYS' },
    sip_traces: { label: 'SIP traces of calls', setting: 'SIP_TRACE_DAYS' },
    api_requests: { label: 'Entries of the API log', setting: 'API_LOG_DAYS' },
    audit_entries: { label: 'Entries of the audit log', setting: 'AUDIT_LOG_DAYS' },
    consents: { label: 'Records of consent', setting: 'CONSENT_DAYS' },
    idempotency_records: {
      label: 'Answers to requests with an Idempotency-Key',
      setting: 'Fixed',
    },
  },
  period: (days: number) => (days === 0 ? 'No limit' : days === 1 ? '1 day' : `${days} days`),
  next: (total: number) =>
    total === 0
      ? 'The next run removes nothing.'
      : 'The next run, at 03:37 UTC, removes what the table shows. This cannot be undone.',
  note: 'The periods are settings of the processes: set the same values for worker and api, and restart them. The command "parley retention" shows the same.',
};
