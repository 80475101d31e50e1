/** The texts of the building blocks that every page shares. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  product: 'Parley',
  copy: {
    action: 'Copy',
    done: 'Copied',
  },
  filters: {
    title: 'Filters',
    active: 'Filters, some active',
    all: 'All',
    other: (id: number) => `#${id}`,
    clear: 'Clear filters',
    remove: (filter: string) => `Remove the filter: ${filter}`,
  },
  sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
  actions: 'Actions',
  cancel: 'Cancel',
  undo: 'Undo',
  undoOf: (text: string) => `Undo: ${text}`,
  close: 'Close',
  discardChanges: 'You have unsaved changes. Discard them?',
  offline: 'You are offline. This page may be out of date and will refresh when the connection is back.',
  pages: {
    label: 'Pages',
    page: (page: number) => `Page ${page}`,
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page',
  },
  page: {
    loading: 'Loading',
    outdated: 'Part of this app could not be loaded. Parley may have been updated. Reload the page.',
    missing: {
      title: 'Page not found',
      text: 'The address may be old or mistyped.',
      action: 'Go to the start page',
    },
  },
  failure: {
    background: 'Something went wrong',
    missing: 'It was deleted, or the address is mistyped.',
    title: 'This page could not be loaded',
    retry: 'Try again',
  },
  showSecret: 'Show or hide',
};
