/** The texts of the records of consent. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  form: {
    numberMissing: 'Enter at least one number',
    sourceMissing: 'Enter where the people agreed',
    refused: (added: number) =>
      `${added === 1 ? '1 number was' : `${added.toLocaleString('en')} numbers were`} recorded. The entries below are not valid phone numbers.`,
    numbers: { label: 'Numbers', hint: 'One per line.' },
    source: { label: 'Source', hint: 'Where the people agreed, such as the name of a form.' },
    text: { label: 'Words', hint: 'Optional. The words to which they agreed.' },
    action: 'Record consent',
  },
  page: {
    title: 'Consent',
    subtitle: 'Who agreed to be called. Campaigns that require consent call only these numbers.',
    add: 'Record consent',
  },
  search: {
    placeholder: 'Any part of the number',
    empty: 'No numbers match this search.',
  },
  list: {
    total: (count: number) => (count === 1 ? '1 number' : `${count.toLocaleString('en')} numbers`),
    columns: { number: 'Number', source: 'Source', text: 'Words', agreed: 'Agreed' },
  },
  empty: {
    title: 'No consent is recorded',
    text: 'Record here, or through the API, who agreed to be called. A campaign calls only these people if its setting “Call only numbers with a record of consent” is on.',
  },
  remove: {
    action: 'Remove',
    label: (number: string) => `Remove the consent of ${number}`,
    question: (number: string) => `Remove the consent of ${number}?`,
    keep: 'Keep',
    text: 'Campaigns that require consent no longer call this number.',
  },
};
