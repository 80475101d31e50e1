/** The admin app in a real browser, for other tooling. */
export { launchBrowser, signInAsOperator } from './admin-browser.ts';
export {
  ADMIN_PAGES,
  PAGE_STATES,
  pathOf,
  type AdminPage,
  type PageRow,
  type PageRows,
  type PageState,
} from './admin-pages.ts';
