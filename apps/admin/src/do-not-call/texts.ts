/** The texts of the do-not-call list. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  form: {
    numberMissing: 'Enter at least one number',
    refused: (added: string) => `${added} The entries below are not valid phone numbers.`,
    numbers: {
      label: 'Numbers',
      hint: 'One per line.',
    },
    reason: {
      label: 'Reason',
      hint: 'Optional. Shown in the list.',
    },
    action: 'Add to list',
  },
  export: 'Export CSV',
  import: {
    open: 'Import file',
    title: 'Import a file of numbers',
    file: {
      label: 'CSV or Excel file',
      choose: 'Choose a file',
      hint: 'With column names in the first row: one for the number, such as "phone", and if you like one named "reason".',
    },
    send: 'Add to list',
    cancel: 'Cancel',
    close: 'Close',
    rows: 'Rows',
    added: 'Added',
    known: 'Already on the list',
    refused: 'Refused',
    examples: (shown: number, refused: number) =>
      shown === refused ? 'Refused rows' : `The first ${shown} refused rows`,
    columns: { row: 'Row', value: 'Value', reason: 'Reason' },
  },
  page: {
    title: 'Do not call',
    subtitle: 'Numbers that are never called from this account.',
    add: 'Add numbers',
  },
  search: {
    placeholder: 'Any part of the number',
    empty: 'No numbers match this search.',
  },
  list: {
    call: 'Call',
    total: (count: number) => (count === 1 ? '1 number' : `${count.toLocaleString('en')} numbers`),
    columns: {
      number: 'Number',
      reason: 'Reason',
      added: 'Added',
    },
  },
  empty: {
    title: 'The list is empty',
    text: 'Add the numbers of people who asked not to be called. Parley refuses every call to them, from campaigns, the API and this app. Changes apply immediately.',
  },
  remove: {
    action: 'Remove',
    label: (number: string) => `Remove ${number}`,
    question: (number: string) => `Remove ${number} from the list?`,
    keep: 'Keep on list',
    text: 'This number can be called again immediately. Leads in running campaigns that were skipped because of this entry will be called again.',
  },
  added: {
    none: 'No numbers were added.',
    one: '1 number is on the list.',
    many: (count: number) => `${count} numbers are on the list.`,
  },
};
