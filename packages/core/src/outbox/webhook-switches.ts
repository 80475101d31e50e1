/** SQL for the webhooks of assistants and users: whether they are on, and their addresses. */

/**
 * SQL of the address for a delivery `d` of assistant `a`, which may be missing, and user `u`: null where the webhook is
 * switched off.
 */
export const CURRENT_URL = `case d.target when 'inbound' then a.inbound_webhook_url
  when 'limit' then u.limit_webhook_url
  else case when a.is_webhook_active then a.webhook_url end end`;
