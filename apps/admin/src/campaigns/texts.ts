/** The texts of campaigns: the list, a campaign's page and its leads. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  days: {
    monday: 'Mon',
    tuesday: 'Tue',
    wednesday: 'Wed',
    thursday: 'Thu',
    friday: 'Fri',
    saturday: 'Sat',
    sunday: 'Sun',
  },
  form: {
    assistant: {
      label: 'Assistant',
      hint: 'Only assistants that make calls are listed.',
      choose: 'Select an assistant',
    },
    hoursStart: 'Call from',
    hoursEnd: 'Call until',
    timezone: {
      label: 'Time zone',
      placeholder: 'Same as the assistant',
    },
    maxCalls: 'Concurrent calls',
    retries: 'Retries',
    disclosure: {
      label: 'Disclosure message',
      hint: 'Spoken before anything else in every call. Leave empty to use that of the assistant.',
    },
    numbers: {
      label: 'Caller IDs',
      hint: 'Calls show one of the selected numbers. Without a selection: the number of the assistant.',
    },
    rules: {
      respect_lead_timezone: 'The calling hours also apply in the time zone of the called number',
      require_consent: 'Call only numbers with a record of consent',
      retry_on_voicemail: 'Call again after voicemail',
      retry_on_goal_incomplete: 'Call again when the goal was not reached',
      mark_complete_when_no_leads: 'Complete the campaign when no leads are left',
    },
    goal: {
      label: 'Goal variable',
      hint: 'The result of the evaluation that states whether the goal was reached, such as status.',
    },
    dispositions: {
      label: 'Dispositions',
      hint: 'Results of a call, one per line. The evaluation chooses one after each conversation; you can change it on the page of the call.',
      placeholder: ['Interested', 'Call back', 'Wrong number'].join('\n'),
    },
    retryMinutes: 'Minutes between retries',
    name: 'Name',
    action: 'Create campaign',
    save: 'Save',
    copyName: (name: string) => `Copy of ${name}`,
  },
  page: {
    title: 'Campaign',
    back: 'Campaigns',
    import: 'Import leads',
    subtitle: (status: string, hours: string) => `${status} · ${hours}`,
  },
  charts: {
    title: (days: number) => `Calls of the last ${days} days by outcome`,
    empty: 'No calls of this campaign ended in this time.',
  },
  progress: {
    title: 'Progress',
    done: (percent: number) => `${percent} percent of the leads are done`,
    leads: 'Leads',
    waiting: 'Waiting',
    waitingFor: {
      start: 'The waiting leads are called after the campaign is started.',
      calling_hours: 'The leads wait for the calling hours of the campaign.',
      campaign_calls: 'The leads wait until one of the concurrent calls of this campaign ends.',
      account_calls: 'The leads wait, because the account has reached its concurrent call limit.',
      sip_trunk: 'The leads wait for the SIP trunk: it is paused, or has reached its limit of calls.',
      voice_capacity: 'The leads wait, because the voice processes have reached their capacity.',
      retry: 'The leads wait for their next attempt. The page of a lead shows when it is due.',
    },
    live: 'In a call',
    completed: 'Completed',
    missed: 'Not reached',
    blocked: 'Blocked',
    obstacle: 'This campaign cannot finish',
    outcomes: 'Calls by outcome',
    dispositions: 'Calls by disposition',
    report: 'Download report (CSV)',
    closed: 'Outside the calling hours',
    opens: (when: string) => `No calls are placed now. The calling hours begin on ${when}.`,
  },
  funnel: {
    title: 'From the list to the goal',
    steps: {
      leads: 'Leads',
      called: 'Called',
      answered: 'Answered',
      talked: 'Talked',
      done: 'Completed',
      goal: 'Goal reached',
    },
    percent: (percent: number) => `${percent}%`,
    note: 'Answered and talked count calls, of which a lead can have several; the others count leads.',
  },
  pace: {
    title: 'Calls started per minute',
    started: 'Started',
    expected: 'Expected',
    hour: 'Last hour',
    mean: (calls: string) => `${calls} on average`,
    measured: (places: string, seconds: number, calls: number) =>
      `Expected while leads are due: concurrent calls ${places}, with ${seconds} s for each call, as the last ${calls.toLocaleString('en')} took on average.`,
    assumed: (places: string, seconds: number) =>
      `Expected while leads are due: concurrent calls ${places}, with an assumed ${seconds} s for each call, until 20 calls of the last hour have ended.`,
  },
  now: {
    draft: (left: number) =>
      left === 0
        ? 'Not started. Add leads first.'
        : `Not started. ${left.toLocaleString('en')} ${left === 1 ? 'lead waits' : 'leads wait'} for the start.`,
    stopped: (left: number) =>
      `Stopped with ${left.toLocaleString('en')} ${left === 1 ? 'lead' : 'leads'} left.`,
    completed: (reached: number, leads: number) =>
      `Completed: ${reached.toLocaleString('en')} of ${leads.toLocaleString('en')} leads were reached.`,
    stuck: 'Running, but it cannot finish without a change.',
    closed: (left: number) =>
      `Running, outside the calling hours, with ${left.toLocaleString('en')} ${left === 1 ? 'lead' : 'leads'} left.`,
    running: (live: number, left: number) =>
      `Running: ${live.toLocaleString('en')} ${live === 1 ? 'call' : 'calls'} in progress, ${left.toLocaleString('en')} ${left === 1 ? 'lead' : 'leads'} left.`,
  },
  hours: (days: string, from: string, until: string, zone: string) =>
    `${days}, ${from} to ${until} (${zone})`,
  everyDay: 'Every day',
  runningOutsideHours: 'Running, outside the calling hours',
  status: {
    draft: 'Draft',
    'in-progress': 'Running',
    stopped: 'Stopped',
    completed: 'Completed',
  },
  limits: {
    calls_in_parallel: 'campaign limit',
    account_calls: 'account limit',
    trunk_calls: 'trunk limit',
  },
  list: {
    title: 'Campaigns',
    subtitle: 'Each campaign calls a list of people with one assistant.',
    new: 'New campaign',
    empty: {
      title: 'No campaigns yet',
      text: 'A campaign calls a list of people with one assistant, within the hours you allow. No calls are made until you start it.',
    },
    noLeads: 'No leads',
    done: (done: string, leads: string) => `${done} of ${leads}`,
    columns: {
      name: 'Name',
      status: 'Status',
      progress: 'Leads done',
      maxCalls: 'Concurrent calls',
      created: 'Created',
    },
  },
  forecast: {
    intro: 'What to expect from now on, within the calling hours, if:',
    answerPercent: 'Share of people who answer (%)',
    durationSeconds: 'Average conversation (seconds)',
    leads: 'Leads waiting',
    calls: 'Calls',
    reached: 'People reached',
    concurrent: 'Concurrent calls',
    limited: (calls: number, limit: string) => `${calls.toLocaleString('en')} (${limit})`,
    hours: 'Calling hours',
    finish: 'Finishes',
    neverFinishes: 'Not within a year',
    cost: 'Cost',
    costInPrices: 'Cost, in the currency of your prices',
    costUpTo: (expected: string, highest: string) =>
      `${expected} expected; ${highest} if everybody talks for as long as the assistant allows`,
    costUnknown: 'Not known: no earlier call of this assistant has a price for all of its parts',
    unreachable: 'Some leads can never be called',
  },
  leads: {
    title: 'Leads',
    all: 'All leads',
    empty: 'This campaign has no leads yet. Import a file, or add leads on the page of all leads.',
    shown: (shown: number, total: number) =>
      shown === total ? `${total} in all` : `The newest ${shown} of ${total.toLocaleString('en')}`,
  },
  actions: {
    edit: 'Edit',
    editTitle: 'Edit campaign',
    copy: 'Duplicate',
    copyTitle: 'Duplicate campaign without its leads',
    remove: 'Delete',
    keep: 'Keep the campaign',
    question: (campaign: string) => `Delete ${campaign}?`,
    consequence: (leads: number) =>
      `The campaign stops, calls that are still ringing are cancelled, and its ${leads.toLocaleString('en')} leads are deleted. This cannot be undone. The history of calls is kept.`,
  },
  week: {
    title: 'Calling hours',
    zone: (zone: string) => `Times are in the time zone ${zone}.`,
  },
  start: {
    open: 'Start',
    question: (campaign: string) => `Start ${campaign}?`,
    cancel: 'Not now',
    confirm: 'Start calling',
    people: (count: number, waiting: number) =>
      count === 0
        ? waiting === 0
          ? 'This campaign has no leads to call. Import a file or add leads first.'
          : 'No calls will be placed: none of the waiting leads can be called.'
        : count === 1
          ? '1 person will be called.'
          : `${count.toLocaleString('en')} people will be called.`,
  },
  stop: {
    action: 'Stop',
    question: 'Stop this campaign?',
    keep: 'Keep calling',
    text: 'No new calls are placed, and calls that are still ringing are cancelled. You can start the campaign again later; it continues where it stopped.',
    hangUp: 'Also hang up on conversations in progress',
  },
};
