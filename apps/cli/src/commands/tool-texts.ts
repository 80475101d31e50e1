/** The texts of the commands about the tools of an account. */

/** Plain texts, and functions for texts with values. */
export const toolTexts = {
  one: 'Tool',
  about: 'HTTP requests that assistants may make during calls',
  list: 'list all tools of your account',
  show: 'show all settings of a tool',
  create: 'create a tool; assistants use it with its ID in tool_ids',
  delete: 'delete a tool that no assistant uses',
  confirm: (id: number) => `Delete tool ${id}?`,
  none: 'No tools found.',
};
