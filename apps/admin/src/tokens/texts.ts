/** The texts of the API tokens page. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  made: {
    title: (name: string) => `New token: ${name}`,
    once: 'This token is shown only once.',
    text: 'Copy it now and store it like a password: anyone who has it can use the API with these permissions. Later, only its first characters are shown.',
    label: 'The new token',
    done: 'I have copied it',
  },
  revoke: {
    action: 'Revoke',
    label: (name: string) => `Revoke ${name}`,
    question: (name: string) => `Revoke ${name}?`,
    keep: 'Keep token',
    text: 'Programs that use this token are refused from their next request on, its unanswered calls end, and campaigns that it has started stop. A revoked token cannot be restored.',
  },
  form: {
    scopes: {
      legend: 'Permissions',
      everything: 'Full access',
      missing: 'Select at least one permission.',
    },
    name: {
      label: 'Name',
      hint: 'What the token is used for.',
    },
    confirmation: {
      label: 'Confirm each action',
      hint: 'For agents: the token acts through MCP only, and each call or change there needs a confirmation code. Over REST it reads.',
    },
    expiry: {
      label: 'Expires after',
      hint: 'Leave empty for a token that does not expire.',
      unit: 'days',
    },
    action: 'Create token',
  },
  scopes: {
    read: {
      label: 'Read',
      hint: 'View everything, change nothing.',
    },
    write: {
      label: 'Write',
      hint: 'Create, change and delete.',
    },
    call: {
      label: 'Call',
      hint: 'Start campaigns, place calls and end them.',
    },
    everything: 'Full access',
  },
  limits: {
    numbers: (count: number) => (count === 1 ? '1 allowed number' : `${count} allowed numbers`),
    calls: (count: number) => (count === 1 ? '1 call per day' : `${count} calls per day`),
    cost: (amount: string) => `cost ${amount} per day`,
    confirmation: 'acts through MCP with confirmation',
  },
  page: {
    title: 'API tokens',
    subtitle: 'Your programs use tokens to access the API.',
    new: 'New token',
    newTitle: 'New API token',
    empty: {
      title: 'No API tokens yet',
      text: 'A token lets one of your programs use the API on your behalf. Create one for each program, so that you can revoke them separately.',
    },
  },
  table: {
    columns: {
      name: 'Name',
      scopes: 'Permissions',
      created: 'Created',
      lastUsed: 'Last used',
      expires: 'Expires',
    },
    revoked: 'Revoked',
    expired: 'Expired',
    never: 'Never',
  },
};
