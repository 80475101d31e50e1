/** The texts of the page of settings against toll fraud. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Fraud protection',
    subtitle:
      'Which numbers may be dialed, and how many. This applies to calls, campaigns and transfers of all users.',
  },
  countries: {
    title: 'Allowed countries',
    label: 'Country codes',
    hint: 'Two letters each, separated by commas, for example: DE, AT, CH. Empty: the countries of your own numbers.',
    inForce: (codes: string) => `Allowed now: ${codes}`,
    open: 'You have no numbers yet, so all countries are allowed except those known for callback scams.',
    none: 'none',
  },
  kinds: {
    title: 'Blocked numbers',
    legend: 'Kinds of numbers that are never dialed',
    names: {
      premium: 'Premium rate',
      shared_cost: 'Shared cost',
      satellite: 'Satellite phones',
      international_network: 'International networks',
      personal: 'Personal numbers',
      company: 'Company-wide service numbers',
      pager: 'Pagers',
      voicemail: 'Voicemail access',
    },
  },
  limits: {
    title: 'Limits',
    hint: 'Leave a field empty for no limit. A day ends at midnight UTC. Calls to test phones do not count.',
    scopes: { user: 'Each user', token: 'Each API token', trunk: 'Each trunk' },
    measures: {
      calls_per_second: 'Calls per second',
      calls_per_day: 'Calls per day',
      cost_per_day: 'Costs per day',
    },
    label: (scope: string, measure: string) => `${scope}: ${measure.toLowerCase()}`,
    sms: 'Each user: text messages (SMS) per day',
  },
  warnings: {
    title: 'Warnings',
    empty: 'No limit has reached 80 %.',
    columns: { when: 'When', who: 'User, token or trunk', limit: 'Limit', used: 'Used' },
    threshold: (percent: number) => (percent < 100 ? `${percent} % used` : 'Used up'),
    used: (used: string, limit: string) => `${used} of ${limit}`,
  },
  save: 'Save',
  saved: 'Saved',
};
