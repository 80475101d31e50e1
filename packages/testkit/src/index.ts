/** The foundation of tests: databases, factories, fakes of external systems. Imported by tests and `tooling` only. */
export { makeCertificate, type TestCertificate } from './certificate.ts';
export { Baresip, type BaresipHome, type BaresipSecurity } from './baresip.ts';
export { captureLog, type CapturedLog, type LogLine } from './captured-log.ts';
export type { CarrierSimulator } from './carriers/carrier-simulator.ts';
export type { PhoneBehaviour, SimulatedDial } from './carriers/simulated-dial.ts';
export type { CallVerdict, StreamedCall } from './carriers/streamed-caller.ts';
export { newCallControlId, placeTelnyxCall, type SimulatedTelnyxCall } from './carriers/telnyx-calls.ts';
export { signAsTelnyx, TELNYX_KEY } from './carriers/telnyx-account.ts';
export { startTelnyx } from './carriers/telnyx-rules.ts';
export { TWILIO_ACCOUNT } from './carriers/twilio-account.ts';
export { placeTwilioCall } from './carriers/twilio-calls.ts';
export { newCallSid, type SimulatedCall } from './carriers/twilio-streams.ts';
export { startTwilio } from './carriers/twilio-rules.ts';
export { countPerFile } from './count-per-file.ts';
export { DnsServer, type DnsRecord } from './dns-server.ts';
export {
  createTestAssistant,
  createTestContext,
  createTestUser,
  type TestContextOptions,
  type TestUser,
} from './factories.ts';
export { ForeignProgram, freePort, isInstalled, waitForTcp } from './foreign-program.ts';
export { createHostedModel } from './hosted-model.ts';
export { Kamailio, kamailioConfig } from './kamailio.ts';
export { startRegistrar, type RegistrarSettings } from './sip-registrar.ts';
export {
  startMediaStreamAgent,
  type AgentBehaviour,
  type AgentSession,
  type MediaStreamAgent,
} from './media-stream-agent.ts';
export { newAssistant } from './new-assistant.ts';
export { installPackedClient, runInNode } from './packed-client.ts';
export { needsAnswer, planCall, type Act, type PlannedAct } from './people-plan.rules.ts';
export { PEOPLE_TEXTS, TEXTS_AFTER_PAUSE } from './people-texts.ts';
export { actNow, answerTurn, ASSISTANT_PAUSE_MS, type PersonView } from './people-turns.rules.ts';
export { createTestDatabase, takeTestDatabase, useTestDatabase, type TestDatabase } from './test-database.ts';
export { startTestPostgres, type TestPostgres } from './test-postgres.ts';
export { totpCode } from './totp-code.ts';
export {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookAnswer,
  type WebhookReceiver,
} from './webhook-receiver.ts';
