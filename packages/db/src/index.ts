/** The database: connections, migrations and row types. The embedded Postgres is `@parley/db/embedded`. */
export { openDatabase, type DatabaseOptions, type Db } from './database.ts';
export type { Transaction, Tx } from './transaction.ts';
export type { EntityReader, EntityWriter } from './entity-manager.ts';
export { LockMode } from '@mikro-orm/postgresql';
export { json, type SqlValue } from './sql-values.ts';
export { sendTogether } from './send-together.ts';
export { declaredStatements, statement, type Statement } from './statement.ts';
export { isForeignKeyViolation, isPermanentFault, isUnavailable, isUniqueViolation } from './sql-errors.ts';
export { migrate } from './migrate.ts';
export {
  Assistant,
  type AssistantRow,
  type AssistantTool,
  type FillerConfig,
  type PostCallField,
} from './entities/assistant.ts';
export { AssistantVersion, type AssistantVersionRow } from './entities/assistant-version.ts';
export {
  CALL_STATUSES,
  LiveCall,
  type CallEventRow,
  type CallRow,
  type CallStatus,
  type LiveCallRow,
  type RecordingRow,
  type StoredToolCall,
  type StoredCallerIdentity,
  type StoredTurn,
} from './entities/call.ts';
export { AssistantGroup, type AssistantGroupRow } from './entities/assistant-group.ts';
export { Campaign, Lead, type CampaignRow, type LeadRow } from './entities/campaign.ts';
export type { DeliveryAttemptRow, DeliveryRow, DeliveryTarget } from './entities/delivery.ts';
export {
  DialLimits,
  DialWarning,
  type DialLimitsRow,
  type DialScope,
  type DialWarningRow,
} from './entities/dial-limits.ts';
export { DialPolicy, type DialPolicyRow } from './entities/dial-policy.ts';
export { Consent, type ConsentRow } from './entities/consent.ts';
export {
  Document,
  DocumentSource,
  Knowledgebase,
  type DocumentRow,
  type KnowledgebaseRow,
} from './entities/knowledgebase.ts';
export { RecordedPhrase, RecordedPhraseSound, type RecordedPhraseRow } from './entities/recorded-phrase.ts';
export { Tool, type ToolRow } from './entities/tool.ts';
export {
  Suite,
  SuiteConversation,
  SuiteRun,
  type StoredSuiteCaller,
  type SuiteConversationRow,
  type SuiteRow,
  type SuiteRunRow,
} from './entities/suite.ts';
export {
  SipTrace,
  type SipTraceRow,
  type StoredMediaStats,
  type StoredSipMessage,
} from './entities/sip-trace.ts';
export { WebhookEndpoint, type WebhookEndpointRow } from './entities/webhook-endpoint.ts';
export { DoNotCall, type DoNotCallRow } from './entities/do-not-call.ts';
export { LeadImport, type LeadImportErrorRow, type LeadImportRow } from './entities/lead-import.ts';
export { Trunk, type TrunkRegistrationRow, type TrunkRow } from './entities/line.ts';
export {
  PhoneNumber,
  type PhoneNumberRow,
  type StoredRoute,
  type StoredRouteAction,
  type StoredStream,
  type StoredQueue,
} from './entities/phone-number.ts';
export {
  CarrierAccount,
  NumberPurchase,
  type CarrierAccountRow,
  type CarrierConnection,
  type NumberPurchaseRow,
} from './entities/carrier-account.ts';
export { SmsMessage, type SmsMessageRow } from './entities/sms-message.ts';
export {
  WrittenConversation,
  WrittenMessage,
  type WrittenConversationRow,
  type WrittenMessageRow,
} from './entities/written-conversation.ts';
export { CallDisposition, type CallDispositionRow } from './entities/call-disposition.ts';
export {
  Language,
  LlmModel,
  Provider,
  Voice,
  type LanguageRow,
  type LlmModelRow,
  type ProviderRow,
  type VoiceRow,
} from './entities/lookup.ts';
export {
  ApiToken,
  RecoveryCode,
  Session,
  SignInLink,
  User,
  type SessionRow,
  type TokenRow,
  type UserRole,
  type UserRow,
} from './entities/user.ts';
export {
  Price,
  PriceSettings,
  type PriceRow,
  type PriceUnit,
  type StoredCost,
  type UsageUnit,
} from './entities/price.ts';
export { ApiRequest, type ApiRequestRow } from './entities/api-request.ts';
export { AuditEntry, type AuditEntryRow } from './entities/audit-entry.ts';
export { AUDIT_RETENTION_SETTING } from './sql/audit-retention.ts';
export type { InboundRefusalRow } from './entities/inbound-refusal.ts';
export type { RestoredCopyRow } from './entities/restored-copy.ts';
export type { VoiceProcessRow } from './entities/voice-process.ts';
