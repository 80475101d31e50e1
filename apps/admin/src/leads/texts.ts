/** The texts of leads: the list, a lead's page, its calls and the forms. */

function leads(count: number): string {
  return count === 1 ? '1 lead' : `${count.toLocaleString('en')} leads`;
}

/** Plain texts, and functions for texts with values. */
export const texts = {
  states: {
    waiting: 'Queued',
    dialing: 'Being called',
    'waiting-to-retry': 'Waiting for the next attempt',
    blocked: 'Blocked',
    completed: 'Completed',
    'reached-max-retries': 'Not reached',
  },
  statuses: {
    created: 'Open: to be called',
    completed: 'Completed: not called again',
    'reached-max-retries': 'Not reached: not called again',
  },
  verdict: {
    never: 'This lead will not be called again',
    dial: 'This lead is due to be called now',
    wait: 'This lead is waiting',
    waitUntil: (until: string) => `The next attempt is at ${until}`,
  },
  next: {
    title: 'Next attempt',
    number: 'Number',
    round: 'Round',
  },
  attempts: {
    title: 'Attempts',
    columns: {
      reason: 'When and why',
      result: 'Result',
    },
    round: (round: number) => `round ${round}`,
    notCounted: 'Not counted as an attempt',
    empty: 'This lead has not been called yet.',
  },
  list: {
    title: 'Leads',
    subtitle: 'The people that your campaigns call, newest first.',
    add: 'Add lead',
    columns: {
      number: 'Number',
      name: 'Name',
      campaign: 'Campaign',
      state: 'State',
      lastCall: 'Last call',
    },
    moreNumbers: (count: number) => (count === 1 ? '1 more number' : `${count} more numbers`),
    total: leads,
    inCall: 'In a call',
    editRow: (number: string) => `Edit ${number}`,
    noMatch: {
      title: 'No leads match these filters',
      text: 'Change or clear the filters to see more leads.',
    },
    empty: {
      title: 'No leads yet',
      text: 'A lead is a person whom a campaign calls. Add a single lead here, or import a file on the page of a campaign.',
    },
    noCampaign: {
      title: 'No campaigns yet',
      text: 'Leads belong to a campaign. Create a campaign first, then add leads or import a file.',
      action: 'Go to campaigns',
    },
  },
  bulk: {
    select: (number: string) => `Select ${number}`,
    selected: (count: number) => `${count.toLocaleString('en')} selected`,
    selectAll: (count: number) =>
      count === 1 ? 'Select the lead' : `Select all ${count.toLocaleString('en')} leads`,
    export: 'Export CSV',
    actions: { restart: 'Call again', end: 'Stop calling', move: 'Move', delete: 'Delete' },
    confirm: {
      restart: (count: number) => `Call ${leads(count)} again`,
      end: (count: number) => `Stop calling ${leads(count)}`,
      move: (count: number) => `Move ${leads(count)}`,
      delete: (count: number) => `Delete ${leads(count)}`,
    },
    texts: {
      restart: (count: number) =>
        `${leads(count)} will be open again, without attempts, and are called when their campaigns run.`,
      end: (count: number) =>
        `${leads(count)} will be completed and not called again. Calls to them that are in progress are ended.`,
      move: (count: number) => `${leads(count)} will be moved to another campaign, with their attempts.`,
      delete: (count: number) =>
        `${leads(count)} will be deleted, with their variables and other numbers. This cannot be undone. Calls to them that are in progress are ended. The history of calls is kept.`,
    },
    target: 'To campaign',
    progress: (done: number, count: number) =>
      `${done.toLocaleString('en')} of ${count.toLocaleString('en')}`,
    done: (count: number) => `${leads(count)} changed`,
    refused: (count: number, reason: string) =>
      `${leads(count)} stayed as they were. The first reason: ${reason}`,
    stop: 'Stop',
    cancel: 'Cancel',
    close: 'Close',
  },
  filters: {
    state: 'State',
    outcome: 'Last call',
    number: 'Number',
    numberPlaceholder: 'Any part of the number',
  },
  page: {
    title: (id: number) => `Lead #${id}`,
    back: 'Leads',
    campaign: 'Campaign',
    added: 'Added',
    changed: 'Updated',
    facts: 'Details',
    edit: 'Edit',
    variables: 'Variables',
    noVariables: 'This lead has no variables.',
  },
  contacts: {
    title: 'More numbers',
    text: 'These numbers are called in this order when the lead is not reached.',
    columns: {
      number: 'Number',
      state: 'Status',
    },
    statuses: {
      created: 'Open',
      completed: 'Completed',
      'reached-max-retries': 'Not reached',
    },
    editLabel: (number: string) => `Edit ${number}`,
    removeLabel: (number: string) => `Delete ${number}`,
    question: (number: string) => `Delete ${number}?`,
    removal:
      'This number and its variables are deleted. A call to it that is in progress is ended. The history of calls is kept.',
  },
  form: {
    number: {
      label: 'Phone number',
      hint: 'Numbers without + are read as numbers in the default country of your account.',
    },
    campaign: {
      label: 'Campaign',
      choose: 'Select a campaign',
    },
    contacts: {
      label: 'More numbers',
      hint: 'Optional, one per line. Called in this order when the first number is not reached.',
    },
    duplicate: 'Add the lead although its number is already in the campaign',
    status: 'Status',
    save: 'Save',
    add: 'Add lead',
  },
  variables: {
    title: 'Variables',
    hint: 'Values for the placeholders in the texts of the assistant.',
    name: (place: number) => `Name of variable ${place}`,
    value: (place: number) => `Value of variable ${place}`,
    nameExample: 'Name',
    valueExample: 'Value',
    add: 'Add variable',
    remove: (place: number) => `Remove variable ${place}`,
  },
  remove: {
    action: 'Delete',
    question: 'Delete this lead?',
    keep: 'Keep it',
    text: 'The lead, its variables and its other numbers are deleted. A call to it that is in progress is ended. The history of calls is kept.',
  },
};
