/** Whether and where an assistant's webhook goes now. Said once, in SQL, for every statement that must know. */

/** SQL of the address for a delivery `d` of assistant `a`: null where the webhook is switched off. */
export const CURRENT_URL = `case d.target when 'inbound' then a.inbound_webhook_url
  else case when a.is_webhook_active then a.webhook_url end end`;
