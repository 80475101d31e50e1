/** The forms of the admin app: how each is opened, what the API refuses in it and what it accepts. */
import type { Page } from 'playwright-core';

/** Test ids of fields, or their labels, which begin with a capital, and what is entered. */
export type Entries = readonly (readonly [field: string, value: string | boolean])[];

/** A form. */
export interface AdminForm {
  name: string;
  /** Below `/admin/`, with the ids of rows as in `admin-pages.ts`. */
  path: string;
  /** Test ids of the buttons that open its dialog; none: the form is on the page. */
  open?: readonly string[];
  /** What is done on the page before the form is there. */
  begin?: (page: Page) => Promise<void>;
  /** The API refuses these. */
  refused: Entries;
  /** The form itself refuses the entries, before anything is sent. */
  isCheckedHere?: true;
  /** A row that is deleted before the API reads the entries: its path below `/api/user/`. */
  vanished?: string;
  /** The field that shows why, in the words of an operator; null: the form shows it. */
  fault: readonly [field: string | null, text: string];
  /** What the refused entries are replaced with. Absent: no value is accepted here, because it needs a carrier. */
  accepted?: Entries | (() => Entries);
  /** The message when the connection is lost, if it is not that the server does not respond. */
  lost?: string;
  /**
   * When leaving the form asks whether its entries may be discarded. `none`: never. `after`: also after it was sent, while
   * its result is shown. Absent: while something was entered.
   */
  guard?: 'none' | 'after';
  /** Test id of the button that sends it. */
  send: string;
  /** Part of the address of the request: the procedure, or the path of an upload. */
  request: string;
}

/** The fault of a required field that is empty. */
export const REQUIRED = 'Fill in this field.';
const INVALID_NUMBER = 'Enter a valid phone number with country code, such as +1 212 555 0123.';
/** The fault of a value in the wrong format. */
export const INVALID = 'This value is not valid.';
/** The fault of a field for a URL. */
export const INVALID_URL = 'Enter a URL that begins with http:// or https://.';
/** The fault of a select field whose entry was deleted meanwhile. */
export const UNAVAILABLE = 'Select one of the available options.';
const INVALID_ZONE = 'Enter a valid time zone, such as Europe/Berlin.';
const NOT_WHOLE = 'Enter a whole number.';

/** A text that is too long for any name. */
const TOO_LONG = 'long '.repeat(60).trim();
const TOO_LONG_FAULT = 'Enter at most 255 characters.';

/** All forms but those of assistants (`assistant-forms.ts`), in the order of the navigation. */
export const ADMIN_FORMS: readonly AdminForm[] = [
  {
    name: 'new assistant',
    path: 'assistants/new',
    refused: [['field-system_prompt', 'Be brief.']],
    fault: ['field-name', REQUIRED],
    accepted: [
      ['field-name', 'Made by a form'],
      ['field-initial_message', 'Hello.'],
    ],
    send: 'assistant-create',
    request: 'assistants.create',
  },
  {
    name: 'tool',
    path: 'assistants/:assistant?tab=tools',
    open: ['new-tool'],
    refused: [
      ['tool-name', 'two words'],
      ['tool-description', 'Before a day is promised.'],
      ['tool-url', 'https://example.com/days'],
    ],
    fault: ['tool-name', INVALID],
    accepted: [['tool-name', 'free_days']],
    send: 'tool-save',
    request: 'assistants.setTools',
  },
  {
    name: 'knowledge base',
    path: 'knowledge',
    open: ['new-knowledge'],
    refused: [['knowledge-name', TOO_LONG]],
    fault: ['knowledge-name', TOO_LONG_FAULT],
    accepted: [['knowledge-name', 'Opening hours']],
    send: 'knowledge-create',
    request: 'knowledgebases.create',
  },
  {
    name: 'document',
    path: 'knowledge/:knowledgebase',
    open: ['new-document'],
    refused: [
      ['document-name', TOO_LONG],
      ['document-source', 'website'],
      ['document-url', 'https://example.com/prices'],
    ],
    fault: ['document-name', TOO_LONG_FAULT],
    accepted: [['document-name', 'Prices']],
    send: 'document-add',
    request: 'documents.create',
  },
  {
    name: 'suite',
    path: 'evaluations',
    open: ['new-suite'],
    refused: [['suite-name', TOO_LONG]],
    fault: ['suite-name', 'Enter at most 200 characters.'],
    accepted: [['suite-name', 'Before each change']],
    send: 'suite-create',
    request: 'suites.create',
  },
  {
    name: 'run of a suite',
    path: 'evaluations/:suite',
    open: ['suite-run'],
    refused: [['Conversations at once', '']],
    fault: ['Conversations at once', 'Enter'],
    accepted: [['Conversations at once', '2']],
    send: 'suite-start',
    request: 'suites.start',
  },
  {
    name: 'campaign',
    path: 'campaigns',
    open: ['new-campaign'],
    refused: [
      ['campaign-name', 'Reminders'],
      ['campaign-assistant', 'Demo: calls out'],
      ['Time zone', 'Middle-earth'],
    ],
    fault: ['Time zone', INVALID_ZONE],
    accepted: [['Time zone', 'Europe/Berlin']],
    send: 'campaign-create',
    request: 'campaigns.create',
  },
  {
    name: 'settings of a campaign',
    path: 'campaigns/:draft',
    open: ['campaign-edit'],
    refused: [['campaign-name', TOO_LONG]],
    fault: ['campaign-name', TOO_LONG_FAULT],
    accepted: [['campaign-name', 'Renamed']],
    send: 'campaign-save',
    request: 'campaigns.update',
  },
  {
    name: 'new lead',
    path: 'leads',
    open: ['new-lead'],
    refused: [
      ['lead-campaign', 'Leads of forms'],
      ['lead-phone', '12'],
    ],
    fault: ['lead-phone', INVALID_NUMBER],
    accepted: [['lead-phone', '+1 202 555 0188']],
    send: 'lead-add',
    request: 'leads.create',
  },
  {
    name: 'lead',
    path: 'leads/:lead',
    open: ['lead-edit'],
    refused: [['lead-phone', '12']],
    fault: ['lead-phone', INVALID_NUMBER],
    accepted: [['lead-phone', '+1 202 555 0189']],
    send: 'lead-save',
    request: 'leads.update',
  },
  {
    name: 'contact of a lead',
    path: 'leads/:lead',
    open: ['contact-edit'],
    refused: [['lead-phone', '12']],
    fault: ['lead-phone', INVALID_NUMBER],
    accepted: [['lead-phone', '+1 202 555 0187']],
    send: 'lead-save',
    request: 'leads.update',
  },
  {
    name: 'consent',
    path: 'consents',
    open: ['consent-new'],
    refused: [
      ['consent-numbers', '+1 202 555 0186'],
      ['consent-source', TOO_LONG],
    ],
    fault: ['consent-source', TOO_LONG_FAULT],
    accepted: [['consent-source', 'Web form']],
    send: 'consent-add',
    request: 'consents.add',
  },
  {
    name: 'do not call',
    path: 'do-not-call',
    open: ['do-not-call-new'],
    refused: [
      ['do-not-call-numbers', '+1 202 555 0185'],
      ['do-not-call-reason', TOO_LONG],
    ],
    fault: ['do-not-call-reason', TOO_LONG_FAULT],
    accepted: [['do-not-call-reason', 'Asked us not to']],
    send: 'do-not-call-add',
    request: 'doNotCall.add',
  },
  {
    name: 'provider',
    path: 'providers',
    open: ['new-provider'],
    refused: [
      ['provider-kind', 'openai-compatible'],
      ['provider-name', 'Own server'],
      ['provider-address', 'no address'],
      ['provider-models', 'Small'],
    ],
    fault: ['provider-address', INVALID_URL],
    accepted: [['provider-address', 'http://127.0.0.1:9/v1']],
    send: 'provider-save',
    request: 'providers.create',
  },
  {
    name: 'trunk',
    path: 'trunks',
    open: ['new-trunk'],
    refused: [
      ['trunk-name', 'Carrier'],
      ['trunk-host', 'no host'],
    ],
    fault: ['trunk-host', INVALID],
    accepted: [['trunk-host', 'sip.carrier.example']],
    send: 'trunk-save',
    request: 'sipTrunks.create',
  },
  {
    name: 'carrier account',
    path: 'trunks',
    open: ['new-carrier'],
    refused: [
      ['carrier-kind', 'telnyx'],
      ['carrier-name', 'Numbers'],
    ],
    fault: ['carrier-secret', REQUIRED],
    send: 'carrier-save',
    request: 'carrierAccounts.create',
  },
  {
    name: 'number',
    path: 'trunks',
    open: ['new-number'],
    refused: [['number-text', '12']],
    fault: ['number-text', INVALID_NUMBER],
    accepted: [['number-text', '+1 202 555 0184']],
    send: 'number-save',
    request: 'phoneNumbers.create',
  },
  {
    name: 'route of a number',
    path: 'trunks',
    open: ['number-route'],
    refused: [['Time zone', 'Middle-earth']],
    fault: ['Time zone', INVALID_ZONE],
    send: 'route-save',
    request: 'phoneNumbers.setRoute',
  },
  {
    name: 'webhook endpoint',
    path: 'webhooks',
    open: ['new-endpoint'],
    refused: [
      ['endpoint-url', 'no address'],
      ['endpoint-event-call.ended', true],
    ],
    fault: ['endpoint-url', INVALID_URL],
    accepted: [['endpoint-url', 'https://example.com/hook']],
    send: 'endpoint-save',
    request: 'webhookEndpoints.create',
  },
  {
    name: 'price',
    path: 'prices',
    refused: [['price-amount', '0.1234567']],
    fault: ['price-amount', INVALID],
    accepted: [['price-amount', '0.01']],
    send: 'price-set',
    request: 'prices.set',
  },
  {
    name: 'settings of fraud protection',
    path: 'fraud-protection',
    refused: [['limit-user-calls_per_day', 'many']],
    fault: ['limit-user-calls_per_day', NOT_WHOLE],
    accepted: [['limit-user-calls_per_day', '100000']],
    send: 'dial-policy-save',
    request: 'dialPolicy.update',
  },
  {
    name: 'token',
    path: 'tokens',
    open: ['new-token'],
    refused: [['token-name', TOO_LONG]],
    fault: ['token-name', TOO_LONG_FAULT],
    accepted: [['token-name', 'Reception']],
    send: 'token-create',
    request: 'tokens.create',
  },
  {
    name: 'user',
    path: 'users',
    open: ['new-user'],
    refused: [
      ['user-name', 'Bo'],
      ['user-email', 'no address'],
    ],
    fault: ['user-email', 'Enter a valid email address.'],
    accepted: [['user-email', 'bo@forms.example']],
    send: 'user-invite',
    request: 'users.invite',
  },
  {
    name: 'limits of a user',
    path: 'users',
    open: ['user-actions', 'user-dial-limits'],
    refused: [['user-max_calls_per_day', 'many']],
    fault: ['user-max_calls_per_day', NOT_WHOLE],
    accepted: [['user-max_calls_per_day', '100000']],
    send: 'dial-limits',
    request: 'users.setDialLimits',
  },
  {
    name: 'limits of attempts of a user',
    path: 'users',
    open: ['user-actions', 'user-attempt-limits'],
    refused: [['attempts-per-day', 'many']],
    fault: ['attempts-per-day', NOT_WHOLE],
    accepted: [['attempts-per-day', '1000']],
    send: 'attempt-limits',
    request: 'users.setAttemptLimits',
  },
  {
    name: 'replay of a call',
    path: 'calls/:call',
    open: ['replay'],
    refused: [['replay-assistant', 'Vanishing']],
    vanished: 'assistant/:vanishing',
    fault: [null, 'Assistant not found'],
    accepted: [['replay-assistant', 'Renamed by a form']],
    send: 'replay-start',
    request: 'suiteRuns.replay',
  },
  {
    name: 'failed webhooks again',
    path: 'webhooks',
    open: ['resend-many'],
    refused: [['First day', '']],
    fault: ['First day', REQUIRED],
    accepted: [['First day', '2020-01-01']],
    send: 'resend-many-confirm',
    request: 'webhooks.resendMany',
  },
];
