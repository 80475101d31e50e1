/** SQL for the webhook of an assistant: whether it is on, and its address. */

/** SQL of the address for a delivery `d` of assistant `a`: null where the webhook is switched off. */
export const CURRENT_URL = `case d.target when 'inbound' then a.inbound_webhook_url
  else case when a.is_webhook_active then a.webhook_url end end`;
