/** The texts of the audit log. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Audit log',
    subtitle:
      'Changes, sign-ins and uses of API tokens: who, when and from where. Entries cannot be changed.',
  },
  filters: {
    area: 'Area',
    user: 'User',
    from: 'From',
    until: 'Until',
    removedUser: (id: number) => `User #${id}`,
  },
  list: {
    columns: { time: 'Time', user: 'User', operation: 'Operation', fields: 'Fields', from: 'From' },
    total: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
    commandLine: 'Command line',
    unknownUser: 'Unknown address',
    removedUser: (id: number) => `User #${id}, removed`,
    signInRefused: 'Sign-in refused',
    refused: (operation: string) => `Refused: ${operation}`,
    noFields: '–',
    details: (fields: string, source: string) => `${fields} · ${source}`,
    object: (id: number) => `#${id}`,
    noMatch: { title: 'No entries match these filters', text: 'Change or clear the filters above.' },
  },
  channels: { api: 'API', app: 'Admin app', cli: 'Server' },
  empty: {
    title: 'No entries yet',
    text: 'Every change that you make here, over the API or on the server appears in this list.',
  },
};
