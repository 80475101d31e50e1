/** The texts of webhooks: the log of deliveries, one delivery, test events and the secret. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Webhooks',
    subtitle: 'Every request that Parley has sent or will send to your servers, newest first.',
    back: 'Webhooks',
  },
  list: {
    columns: {
      event: 'Event',
      status: 'Status',
      answer: 'Last answer',
      attempts: 'Attempts',
      created: 'Created',
    },
    total: (count: number) => (count === 1 ? '1 webhook' : `${count.toLocaleString('en')} webhooks`),
    answer: (status: number) => `HTTP ${status}`,
    next: (time: string) => `Next attempt ${time}`,
    noMatch: {
      title: 'No webhooks match these filters',
      text: 'Change or clear the filters to see more webhooks.',
    },
    empty: {
      title: 'No webhooks yet',
      text: 'Switch the webhook on in the settings of an assistant and enter the address of your server. Parley then sends a request after each call of this assistant.',
      action: 'Go to assistants',
    },
  },
  filters: {
    status: 'Status',
    event: 'Event',
    from: 'From',
    until: 'Until',
  },
  events: {
    'call.finished': 'Call finished',
    'call.incoming': 'Incoming call',
    'limit.warning': 'Limit at 80 %',
    'limit.reached': 'Limit reached',
  },
  reasons: {
    switched_off:
      'The webhook was switched off before this request was delivered. Switch it on, then send it again.',
    gone: 'Your server answered 410, which switches the webhook off. Switch it on, then send it again.',
    tries_used_up: 'All attempts failed. Correct your server, then send it again.',
  },
  delivery: {
    facts: 'Details',
    event: 'Event',
    call: 'Call',
    callLink: (id: number) => `#${id}`,
    target: 'Sent',
    targets: {
      'post-call': 'after the call',
      inbound: 'to the inbound webhook',
      limit: 'to the webhook for limits',
    },
    created: 'Created',
    next: 'Next attempt',
    id: 'webhook-id',
    request: 'Request',
    post: (url: string) => `POST ${url}`,
    body: 'Body of the request',
    attempts: 'Attempts and answers',
    noAttempts: 'This webhook has not been sent yet.',
  },
  resendMany: {
    action: 'Send failed again',
    text: 'All webhooks of these days with this status are sent again, with the same ids and all retries. The days are in the time zone of your account.',
    status: 'Status',
    statuses: {
      failed: 'Failed',
      disabled: 'Disabled',
    },
    from: 'First day',
    until: 'Last day',
    submit: 'Send again',
    done: (count: number) =>
      count === 0
        ? 'No webhooks of these days have this status, or their webhooks are switched off.'
        : count === 1
          ? '1 webhook is being sent again.'
          : `${count.toLocaleString('en')} webhooks are being sent again.`,
  },
  test: {
    action: 'Send a test',
    text: 'Parley sends the event webhook.test to the webhook of an assistant and shows the answer of your server.',
    assistant: 'Assistant',
    choose: 'Select an assistant',
    missing: 'No assistant has a webhook address. Enter one in the settings of an assistant first.',
    send: 'Send',
    accepted: 'Your server accepted the event',
    refused: 'Your server did not accept the event',
    noAnswer: 'Your server did not answer',
    result: (status: number, time: string) => `HTTP ${status} after ${time}`,
    cure: 'Check the address, and that your server can be reached from the machine on which Parley runs.',
    response: 'Body of the answer',
  },
  secret: {
    title: 'Signing secret',
    text: 'Each request is signed with this secret by the Standard Webhooks scheme. Only its first characters can be shown.',
    current: 'Secret',
    old: 'Previous secret',
    until: (prefix: string, time: string) => `${prefix}…, also signs until ${time}`,
    rotate: 'Replace',
    question: 'Replace the signing secret?',
    consequence:
      'A new secret is made and shown once. Until the old one expires, both sign each request, so that your servers can change over.',
    keep: 'Keep the secret',
    hours: 'The old secret expires',
    choices: {
      '0': 'At once',
      '24': 'After a day',
      '168': 'After a week',
      '720': 'After 30 days',
    },
    made: 'This is the new secret. Copy it now: it is not shown again.',
    label: 'The new secret',
    done: 'Done',
  },
};
