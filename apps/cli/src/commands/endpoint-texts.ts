/** The texts of the commands for webhook endpoints. */

/** Plain texts, and functions for texts with values. */
export const endpointTexts = {
  one: 'Webhook endpoint',
  about: 'addresses that subscribe to events of calls, leads, campaigns, trunks and limits',
  list: 'list all webhook endpoints of your account',
  show: 'show all settings of a webhook endpoint',
  create: 'create a webhook endpoint; its signing secret is shown only once',
  update: 'change settings of a webhook endpoint',
  test: 'send a test event and show the status of the answer',
  delete: 'delete a webhook endpoint; its pending deliveries are not sent',
  created: (id: number, secret: string) => `Webhook endpoint ${id} was created. Its secret: ${secret}`,
  changed: (id: number) => `Webhook endpoint ${id} was changed.`,
  answered: (status: number, ms: number) => `HTTP ${status} after ${ms} ms.`,
  noAnswer: (error: string) => `The address does not answer. ${error}`,
  confirm: (id: number) => `Delete webhook endpoint ${id}?`,
  none: 'No webhook endpoints found.',
};
