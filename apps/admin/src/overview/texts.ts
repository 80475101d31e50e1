/** The texts of the overview and of the health of the installation. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Overview',
    subtitle: (from: string, until: string, zone: string) =>
      `${from} to ${until}. Days begin at midnight in ${zone}.`,
    period: 'Period',
    periods: {
      '7': '7 days',
      '30': '30 days',
      '90': '90 days',
    },
  },
  firstSteps: {
    title: 'First steps',
    hide: 'Hide',
    done: 'Done.',
    noAssistant: 'Once you have created one, you can talk to it in this browser.',
    steps: {
      talk: {
        title: 'Talk to an assistant',
        text: 'The demo assistant books an appointment with you in this browser. You need a microphone, and no account.',
        action: 'Talk now',
      },
      create: {
        title: 'Create your own assistant',
        text: 'Choose a voice and a language model, and write what the assistant says and does.',
        action: 'Create assistant',
      },
      connect: {
        title: 'Connect a phone line',
        text: 'Until then, calls reach the built-in test phones only. Add a SIP trunk, or an account at Twilio or Telnyx.',
        action: 'Connect a line',
      },
    },
  },
  figures: {
    calls: 'Calls',
    live: 'Live calls now',
    answered: 'Outbound answer rate',
    talkTime: 'Talk time',
    cost: 'Cost',
    faults: 'Failed by our fault',
    none: '–',
  },
  chart: {
    title: 'Calls by day and outcome',
    empty: 'No calls ended in this period. Place a call from the page of an assistant, or start a campaign.',
    action: 'Go to assistants',
    columns: {
      outcome: 'Outcome',
      calls: 'Calls',
      share: 'Share',
      talkTime: 'Talk time',
      cost: 'Cost',
    },
    share: (percent: number) => `${percent} %`,
  },
  charts: {
    answered: 'Outbound answer rate',
    rate: 'Answered',
    talkTime: 'Talk time',
    minutes: 'Minutes',
    ofMinutes: (minutes: number) => `${minutes.toLocaleString('en', { maximumFractionDigits: 1 })} min`,
    cost: 'Cost',
    silence: 'Silence before replies',
    median: 'Half of the replies within',
    p95: '95 % within',
    medianSilence: 'Silence, median',
    p95Silence: 'Silence, 95 %',
  },
  table: {
    show: 'Show the figures as a table',
    day: 'Day',
  },
  health: {
    title: 'Health',
    voice: 'Voice processes',
    capacity: 'Calls in progress',
    workers: 'Workers',
    trunks: 'Paused trunks',
    ofCapacity: (calls: number, capacity: number) =>
      `${calls.toLocaleString('en')} of at most ${capacity.toLocaleString('en')}`,
    problems: {
      voice:
        'No voice process is running, so no calls can be placed or answered. Start one with npm run voice.',
      worker: 'No worker is running, so campaigns and webhooks stand still. Start one with npm run worker.',
      full: 'All voice processes are full or are being stopped. New calls wait. Start another voice process.',
      trunk: (name: string) =>
        `The trunk ${name} is paused because most of its calls failed. Check its address and account on the page of trunks.`,
    },
  },
};
