/** The texts of written conversations: the list, and the page of one. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  list: {
    title: 'Written conversations',
    subtitle: 'What customers and your assistants have written to each other, newest first.',
    columns: {
      customer: 'Customer',
      state: 'State',
      assistant: 'Assistant',
      messages: 'Messages',
      started: 'Started',
    },
    total: (count: number) =>
      count === 1 ? '1 conversation' : `${count.toLocaleString('en')} conversations`,
    noMatch: {
      title: 'No conversations match these filters',
      text: 'Change or clear the filters to see more conversations.',
    },
    empty: {
      title: 'No written conversations yet',
      text: 'Your chat or messaging software begins them over the API. This command sends the first message of a customer to an assistant, which replies:',
      commandLabel: 'Command that begins a written conversation',
      command: (origin: string) =>
        [
          `curl ${origin}/api/ai/generate-reply \\`,
          `  -H "Authorization: Bearer $PARLEY_TOKEN" -H "Content-Type: application/json" \\`,
          `  -d '{"assistant_id": 1, "customer_identifier": "customer-1",`,
          `       "message": "When do you open?"}'`,
        ].join('\n'),
    },
  },
  filters: {
    state: 'State',
    from: 'From',
    until: 'Until',
  },
  states: {
    open: 'Open',
    ended: 'Ended',
  },
  assistantOff: 'Assistant off',
  types: {
    api: 'Over the API',
    widget: 'From a website',
    test: 'Test',
  },
  /** Instead of the identifier, which these have not. */
  customers: {
    api: 'Customer without an identifier',
    widget: 'Visitor of a website',
    test: 'Test conversation',
  },
  page: {
    title: 'Written conversation',
    back: 'Written conversations',
    messages: 'Messages',
    noMessages: 'No messages are stored. They are removed when their retention period is over.',
    nothing: 'Nothing has been written yet.',
    customer: 'Customer',
    collected: 'Collected in the conversation',
    input: 'Variables',
    assistantIsOff: 'The assistant is switched off: what the customer writes is stored and not answered.',
  },
  facts: {
    title: 'Details',
    assistant: 'Assistant',
    type: 'Type',
    customer: 'Customer',
    phone: 'Phone number',
    started: 'Started',
    changed: 'Last change',
    ended: 'Ended',
    reason: 'Reason',
    reasons: {
      assistant_ended: 'The assistant ended it',
      inactivity: 'Nothing was written for a while',
      person_ended: 'Ended in this app',
    },
    webhooks: 'Webhooks',
    webhooksLink: 'Those of the day on which it ended',
    id: 'Conversation id',
  },
  switchOff: {
    action: 'Switch assistant off',
    question: 'Switch the assistant off?',
    text: 'The assistant stops replying in this conversation, so that a person can take over. A reply that it is preparing is dropped. Messages of the customer are stored.',
    keep: 'Keep it on',
  },
  switchOn: 'Switch assistant on',
  end: {
    action: 'End conversation',
    question: 'End this conversation?',
    text: 'Its end is reported to the webhook of the assistant, if that is switched on. A new message of the customer opens the conversation again.',
    keep: 'Keep it open',
  },
  remove: {
    action: 'Delete',
    question: 'Delete this conversation?',
    text: 'Its messages and its webhooks are removed, also a webhook that has not been delivered yet. This cannot be undone.',
    keep: 'Keep it',
  },
};
