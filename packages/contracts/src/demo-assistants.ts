/** The names of the assistants that a fresh installation has. */
export const DEMO_ASSISTANTS = { outbound: 'Demo: calls out', inbound: 'Demo: answers calls' } as const;
