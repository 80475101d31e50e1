/** The credentials of the simulated account at Twilio. */
export const TWILIO_ACCOUNT = { sid: `AC${'a1'.repeat(16)}`, token: 'simulated-twilio-auth-token' } as const;
