/** A box to tick, for dialogs of pages that have none of their own. Loaded with `later`. */
export { Checkbox } from '@mantine/core';
