/** The texts of the commands about people: do-not-call list, consent, erasure. */
import type { ErasedPerson } from '@parley/contracts';

/** Plain texts, and functions for texts with values. */
export const peopleTexts = {
  doNotCall: {
    about: 'numbers that are never called',
    list: 'list the newest entries',
    export: 'print the whole list as CSV, in the order of the numbers',
    add: 'add a number to the list',
    remove: 'remove a number from the list; leads with this number are called again',
    reason: 'reason, shown in the list',
    none: 'No numbers found.',
    added: (number: string) => `${number} is on the do-not-call list.`,
    confirm: (number: string) => `Remove ${number} from the do-not-call list?`,
    removed: (number: string) => `${number} can be called again.`,
  },
  consents: {
    about: 'records that people agreed to be called',
    list: 'list the newest records',
    add: 'record the consent of a person; a number that has a record gets the new one',
    remove: 'remove a record; campaigns that require consent no longer call the number',
    source: 'where the person agreed, for example the name of a form',
    text: 'the words to which the person agreed',
    at: 'when the person agreed, in ISO 8601 (default: now)',
    none: 'No records of consent found.',
    added: (number: string) => `Consent for ${number} is on record.`,
    confirm: (number: string) => `Remove the record of consent for ${number}?`,
    removed: (number: string) => `The record of consent for ${number} was removed.`,
  },
  erasePerson: {
    about: 'remove the calls, recordings, leads and webhooks of a phone number for good',
    removeFromDoNotCall: 'also take the number off the do-not-call list',
    allAccounts: 'from every account of the installation; operators only',
    confirm: (number: string, isEverywhere: boolean) =>
      `Erase everything about ${number}${isEverywhere ? ' from all accounts' : ''}? This cannot be undone.`,
    done: (erased: ErasedPerson) =>
      [
        `Erased: calls ${erased.calls}, recordings ${erased.recordings}, leads ${erased.leads}, written conversations ${erased.conversations}, webhooks ${erased.webhook_deliveries}, times of attempts ${erased.attempts}, records of consent ${erased.consents}, stored answers ${erased.stored_answers}, rows of import reports ${erased.import_errors}, jobs ${erased.jobs}.`,
        erased.is_on_do_not_call_list
          ? 'The number stays on the do-not-call list.'
          : 'The number is not on the do-not-call list.',
      ].join('\n'),
  },
};
