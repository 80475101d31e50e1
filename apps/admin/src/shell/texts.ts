/** The texts of the frame around every page: navigation, live indicator, account menu. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  live: {
    live: {
      label: 'Live',
      title: 'Calls update in real time',
    },
    connecting: {
      label: 'Connecting',
      title: 'Connecting to the server',
    },
    broken: {
      label: 'Not live',
      title: 'The live connection failed. Reload the page to see changes.',
    },
    paused: {
      label: 'Paused',
      title: 'Live updates are paused while this tab is hidden',
    },
  },
  navigation: {
    label: 'Main',
    menu: 'Menu',
    setup: 'Setup',
    skip: 'Skip to content',
  },
  palette: {
    open: 'Search',
    title: 'Go to a page, an assistant, a campaign or a call',
    placeholder: 'Page, assistant, campaign, phone number or call id',
    pages: 'Pages',
    call: (id: number) => `Call #${id}`,
    nothing: 'Nothing found',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    list: [
      ['Ctrl K', 'Search and go to'],
      ['Tab', 'Next field or button'],
      ['Enter', 'Save, in a field of the assistant editor'],
      ['Esc', 'Close a dialog'],
      ['K', 'Play or pause the recording of a call'],
      ['J L', 'Move through a recording by 10 s'],
      ['← →', 'Move through a recording by 5 s, on its waveform'],
      ['↑ ↓', 'Row before or after, in the lists of calls and leads'],
      ['Page Up Page Down Home End', 'Through the list of leads'],
      ['Shift click', 'Select all leads from the last selected one'],
      ['?', 'This list'],
    ] as const,
  },
  health: {
    good: 'Healthy',
    bad: 'Needs attention',
    unknown: 'Health unknown',
  },
  pages: {
    assistants: 'Assistants',
    calls: 'Calls',
    conversations: 'Written conversations',
    campaigns: 'Campaigns',
    overview: 'Overview',
    knowledge: 'Knowledge',
    evaluations: 'Evaluations',
    leads: 'Leads',
    webhooks: 'Webhooks',
    doNotCall: 'Do not call',
    consents: 'Consent',
    providers: 'Providers',
    trunks: 'Trunks and numbers',
    tokens: 'API tokens',
    apiLog: 'API log',
    auditLog: 'Audit log',
    prices: 'Prices',
    fraudProtection: 'Fraud protection',
    retention: 'Data retention',
    users: 'Users',
  },
  account: {
    label: 'Account',
    suffix: ', account',
    scheme: {
      label: 'Colour scheme',
      auto: 'System',
      light: 'Light',
      dark: 'Dark',
    },
    open: 'Account settings',
    signOut: 'Sign out',
  },
};
