/** SQL for the webhooks of assistants and users, and for webhook endpoints: whether they are on, and their addresses. */

/**
 * SQL of the joins of a delivery `d`: its user `u`, its assistant `a` and its webhook endpoint `e`, which may be missing.
 */
export const RECEIVER_JOINS = `join users u on u.id = d.user_id left join assistants a on a.id = d.assistant_id
   left join webhook_endpoints e on e.id = d.endpoint_id`;

/** SQL of the address of a delivery with these joins: null where the webhook is switched off or deleted. */
export const CURRENT_URL = `case d.target when 'inbound' then a.inbound_webhook_url
  when 'conversation' then a.conversation_ended_webhook_url
  when 'limit' then u.limit_webhook_url
  when 'post-call' then case when a.is_webhook_active then a.webhook_url end
  else case when e.is_enabled then e.url end end`;
