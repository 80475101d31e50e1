/** The field for several choices. With its list it is a sixth of the script of a page, so fields load it with `later`. */
export { MultiSelect } from '@mantine/core';
