/** Every page of the admin app, for all that visits each of them: the test of accessibility and `npm run shots`. */

/**
 * What a page can show: rows or none, an API that does not answer when the page loads (`unreachable`) or when it is opened
 * within the app (`lost`), an address without anything behind it, a form with faults, an open dialog, and the open menu of
 * narrow screens.
 */
export const PAGE_STATES = [
  'data',
  'empty',
  'unreachable',
  'lost',
  'missing',
  'errors',
  'dialog',
  'menu',
] as const;

/** One of {@link PAGE_STATES}. */
export type PageState = (typeof PAGE_STATES)[number];

/** The rows that have a page of their own. */
export type PageRow =
  | 'assistant'
  | 'call'
  | 'conversation'
  | 'campaign'
  | 'draft'
  | 'lead'
  | 'delivery'
  | 'knowledgebase'
  | 'suite'
  | 'run';

/** The id of one row of each kind. */
export type PageRows = Readonly<Record<PageRow, number | string>>;

/** A page of the admin app. */
export interface AdminPage {
  name: string;
  /** Below `/admin/`. `:call` stands for the id of a call, and so for each {@link PageRow}. */
  path: string;
  states: readonly PageState[];
}

const list = (name: string, ...states: PageState[]): AdminPage => ({
  name,
  path: name,
  states: ['data', 'empty', ...states],
});
const page = (name: string, path: string, ...states: PageState[]): AdminPage => ({
  name,
  path,
  states: ['data', ...states],
});

/** All of them, in the order of the navigation. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  { name: 'sign-in', path: 'sign-in', states: ['data', 'errors'] },
  list('overview', 'unreachable', 'lost', 'menu'),
  list('assistants'),
  page('assistant-new', 'assistants/new', 'errors'),
  page('assistant', 'assistants/:assistant'),
  page('assistant-voice', 'assistants/:assistant?tab=voice', 'dialog'),
  page('assistant-model', 'assistants/:assistant?tab=model'),
  page('assistant-tools', 'assistants/:assistant?tab=tools'),
  page('assistant-phone', 'assistants/:assistant?tab=phone'),
  page('assistant-after', 'assistants/:assistant?tab=after'),
  page('assistant-webhook', 'assistants/:assistant?tab=webhook'),
  page('assistant-widget', 'assistants/:assistant?tab=widget'),
  page('assistant-advanced', 'assistants/:assistant?tab=advanced'),
  page('talk', 'assistants/:assistant/talk'),
  list('knowledge', 'dialog'),
  page('knowledge-base', 'knowledge/:knowledgebase', 'dialog'),
  list('evaluations', 'dialog'),
  page('suite', 'evaluations/:suite', 'dialog'),
  page('suite-run', 'evaluations/runs/:run', 'dialog'),
  list('calls', 'lost', 'dialog'),
  page('calls-preview', 'calls?preview=:call'),
  page('call', 'calls/:call', 'missing'),
  list('conversations'),
  page('conversation', 'conversations/:conversation', 'missing', 'dialog'),
  list('campaigns', 'errors'),
  page('campaign', 'campaigns/:campaign'),
  page('campaign-draft', 'campaigns/:draft', 'dialog'),
  page('import', 'campaigns/:campaign/import', 'errors'),
  list('leads'),
  page('lead', 'leads/:lead'),
  list('consents'),
  list('do-not-call', 'dialog'),
  list('webhooks'),
  page('delivery', 'webhooks/:delivery'),
  list('providers'),
  list('trunks', 'errors', 'dialog'),
  page('prices', 'prices'),
  page('fraud-protection', 'fraud-protection'),
  page('retention', 'retention'),
  list('tokens', 'errors'),
  page('account', 'account'),
  page('users', 'users'),
  list('audit-log'),
  list('api-log'),
  { name: 'unknown', path: 'nothing-here', states: ['missing'] },
];

/** @returns the path with the ids of the rows, below `/admin/` */
export function pathOf({ path }: AdminPage, rows: PageRows): string {
  return path.replace(/:([a-z]+)/, (_, row: PageRow) => String(rows[row]));
}
