/** The texts of the users page. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Users',
    subtitle:
      'Operators manage the installation and its users. Members use their own assistants, campaigns and calls.',
    invite: 'Invite user',
    actions: (name: string) => `Actions for ${name}`,
    columns: { name: 'Name', role: 'Role', created: 'Created' },
  },
  roles: { operator: 'Operator', member: 'Member' },
  form: { name: 'Name', email: 'Email', role: 'Role', action: 'Create sign-in link' },
  link: {
    title: (name: string) => `Sign-in link for ${name}`,
    once: 'This link is shown only once.',
    text: 'Copy it and send it to the user yourself. It signs in once, within a day. The user can then set a password on the page Account.',
    label: 'The sign-in link',
    done: 'I have copied it',
    action: 'New link',
    actionLabel: (name: string) => `New link for ${name}`,
    question: (name: string) => `Create a sign-in link for ${name}?`,
    warning: 'Anyone who has the link can sign in as this user once, within a day.',
    keep: 'Cancel',
  },
  attempts: {
    action: 'Attempt limits',
    title: (name: string) => `Attempt limits of ${name}`,
    text: 'How often all calls and campaigns of this user may dial one number. Empty: no limit. Calls to test phones do not count.',
    perDay: 'Attempts per number in 24 hours',
    perWeek: 'Attempts per number in 7 days',
    save: 'Save limits',
    shown: (perDay: number | null, perWeek: number | null) =>
      `Attempts per number: ${[
        perDay !== null && `${perDay} in 24 hours`,
        perWeek !== null && `${perWeek} in 7 days`,
      ]
        .filter((text) => text !== false)
        .join(', ')}`,
  },
  dialLimits: {
    action: 'Call limits',
    title: (name: string) => `Call limits of ${name}`,
    text: 'Beside the limits of all users, of which the tighter one applies. Days are in UTC. Empty: the limits of all users only. Calls to test phones do not count.',
    perSecond: 'Calls within one second',
    perDay: 'Calls per day',
    costPerDay: 'Cost per day',
    webhook: {
      label: 'Webhook URL',
      hint: 'Receives a signed event when 80 % and when all of a limit of this user, or of their API tokens and trunks, is used. For operators also of shared trunks.',
    },
    save: 'Save limits',
    shown: (perSecond: number | null, perDay: number | null, costPerDay: string | null) =>
      `Limits: ${[
        perSecond !== null && `${perSecond} calls per second`,
        perDay !== null && `${perDay} calls per day`,
        costPerDay !== null && `costs of ${costPerDay} per day`,
      ]
        .filter((text) => text !== false)
        .join(', ')}`,
  },
  disabling: {
    badge: 'Disabled',
    disable: {
      action: 'Disable',
      question: (name: string) => `Disable ${name}?`,
      text: 'The user is signed out, API tokens stop working, campaigns stop, and calls to the numbers of this user are refused. Calls in progress go on, and all data stays.',
    },
    enable: {
      action: 'Enable',
      question: (name: string) => `Enable ${name} again?`,
      text: 'The user can sign in, and API tokens and numbers work again. Campaigns stay stopped.',
    },
  },
  removal: {
    badge: 'Being removed',
    action: 'Remove',
    question: (name: string) => `Remove ${name} and all their data?`,
    text: 'All assistants, campaigns, leads, calls, recordings, webhooks and API tokens of this user, and numbers, trunks and providers of their own, are deleted within minutes. Entries of the audit log stay. This cannot be undone.',
  },
  secondFactor: {
    action: 'Reset second factor',
    question: (name: string) => `Reset the second factor of ${name}?`,
    text: 'For users who have lost their phone and their recovery codes. The user is signed out and then signs in without a code. Make sure that it is really this user who asks.',
  },
  role: {
    promote: 'Make operator',
    demote: 'Make member',
    label: (action: string, name: string) => `${action}: ${name}`,
    question: (name: string) => `Change the role of ${name}?`,
    promoteText:
      'An operator reads and changes everything that is shared, and manages users, trunks, providers and prices.',
    demoteText:
      'A member no longer manages users and what is shared. The change applies from the next request on, for API tokens too.',
    keep: 'Keep role',
  },
};
