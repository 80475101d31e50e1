/**
 * All endpoints of Parley. Handlers, validation, the client and the API document are derived from `api`;
 * `internal` is the private contract between our processes.
 */
import { folders, labels } from './assistant-groups.ts';
import { apiLog } from './api-log.ts';
import { auditLog } from './audit-log.ts';
import { assistants } from './assistants.ts';
import { assistantVersions } from './assistant-versions.ts';
import { calls } from './calls.ts';
import { carrierAccounts } from './carrier-accounts.ts';
import { campaigns } from './campaigns.ts';
import { c } from './contract.ts';
import { commonErrors } from './errors.ts';
import { documents, knowledgebases } from './knowledgebases.ts';
import { leadImports } from './lead-imports.ts';
import { leads } from './leads.ts';
import { consents } from './consents.ts';
import { doNotCall } from './do-not-call.ts';
import { lookups } from './lookups.ts';
import { people } from './people.ts';
import { phoneNumbers } from './phone-numbers.ts';
import { prices } from './prices.ts';
import { providers } from './providers.ts';
import { recordedPhrases } from './recorded-phrases.ts';
import { sipTrunks } from './sip-trunks.ts';
import { sms } from './sms.ts';
export { trunkPresets, type TrunkPreset } from './trunk-presets.rules.ts';
import { suiteRuns, suites } from './suites.ts';
import { tokens } from './tokens.ts';
import { tools } from './tools.ts';
import { users } from './users.ts';
import { webhookDeliveries, webhookSecrets } from './webhook-deliveries.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { writtenConversations } from './written-conversations.ts';

/** The public REST API. */
export const api = c.router(
  {
    assistants,
    assistantVersions,
    recordedPhrases,
    folders,
    labels,
    tools,
    knowledgebases,
    documents,
    lookups,
    leads,
    leadImports,
    campaigns,
    calls,
    users,
    tokens,
    phoneNumbers,
    sipTrunks,
    carrierAccounts,
    sms,
    providers,
    prices,
    doNotCall,
    consents,
    webhookDeliveries,
    webhookSecrets,
    webhookEndpoints,
    auditLog,
    apiLog,
    people,
    suites,
    suiteRuns,
    writtenConversations,
  },
  { strictStatusCodes: true, commonResponses: commonErrors },
);

export {
  aliasesOf,
  keyingOf,
  metadataOf,
  scopes,
  type NeededRole,
  type RouteMetadata,
  type Scope,
} from './contract.ts';
export * from './answers.ts';
export * from './error-codes.ts';
export {
  groupColors,
  type AssistantGroupChanges,
  type AssistantGroupRecord,
  type NewAssistantGroup,
} from './assistant-groups.ts';
export type { ErasedPerson } from './people.ts';
export {
  newReplayBody,
  newSuiteBody,
  newSuiteRunBody,
  suiteChangesBody,
  type NewSuite,
  type NewSuiteRun,
  type SuiteCallerResult,
  type SuiteChanges,
  type SuiteComparison,
  type SuiteConversationRecord,
  type SuiteDetail,
  type SuiteRecord,
  type SuiteRunDetail,
  type SuiteRunRecord,
} from './suites.ts';
export type { ApiRequestRecord } from './api-log.ts';
export type { AuditRecord } from './audit-log.ts';
export {
  argumentTypes,
  type AccountToolChanges,
  type AccountToolRecord,
  type NewAccountTool,
} from './tools.ts';
export {
  documentStatuses,
  documentTypes,
  knowledgebaseChangesBody,
  knowledgebaseModes,
  knowledgebaseStatuses,
  MAX_PAGES,
  newDocumentBody,
  newKnowledgebaseBody,
  type DocumentChanges,
  type DocumentRecord,
  type KnowledgebaseChanges,
  type KnowledgebaseRecord,
  type NewDocument,
  type NewKnowledgebase,
} from './knowledgebases.ts';
export {
  newRecordedPhraseBody,
  type FixedSentenceRecord,
  type NewRecordedPhrase,
  type RecordedPhraseRecord,
} from './recorded-phrases.ts';
export { assistantDefaults } from './assistant-defaults.ts';
export * from './assistant-input.ts';
export * from './assistant-record.ts';
export {
  assistantTool,
  writtenTool,
  writtenTools,
  type AssistantToolRecord,
  type ToolTrialResult,
  type WrittenTool,
} from './assistant-tools.ts';
export { DEMO_ASSISTANTS } from './demo-assistants.ts';
export * from './form-choices.ts';
export {
  assistantSettingNames,
  MAX_ASSISTANT_VERSIONS,
  type AssistantSettings,
  type AssistantVersionDetails,
  type AssistantVersionRecord,
} from './assistant-versions.ts';
export * from './call-record.ts';
export * from './call-states.ts';
export * from './sip-trace.ts';
export * from './trunk-diagnosis.ts';
export {
  campaignForecast,
  forecastBody,
  type CampaignForecast,
  type ForecastQuestion,
} from './campaign-forecast.ts';
export {
  campaignChangesBody,
  campaignDefaults,
  newCampaignBody,
  type CampaignChanges,
  type NewCampaign,
} from './campaign-input.ts';
export * from './campaign-record.ts';
export * from './coercion.ts';
export * from './dates.ts';
export * from './cursor.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './field-wording.ts';
export * from './fields.ts';
export {
  csvDelimiters,
  importErrorCodes,
  importQuery,
  importRecord,
  importStates,
  type CsvDelimiter,
  type CsvUpload,
  type ImportErrorCode,
  type ImportQuery,
  type ImportCheck,
  type ImportRecord,
} from './lead-imports.ts';
export {
  dialDecisions,
  leadAttempts,
  type DialVerdictRecord,
  type LeadAttempt,
  type LeadAttempts,
} from './lead-attempts.ts';
export * from './lead-record.ts';
export {
  bulkLead,
  MAX_BULK_LEADS,
  type BulkLead,
  type BulkResult,
  type BulkRow,
  type NewLeads,
} from './lead-bulk.ts';
export { leadChangesBody, newLeadBody, type LeadChanges, type LeadsQuery, type NewLead } from './leads.ts';
export {
  MAX_WRITTEN_CHARACTERS,
  MAX_WRITTEN_MESSAGES,
  textReply,
  type TextQuestionBody,
  type TextReplyRecord,
} from './text-reply.ts';
export * from './written-conversation-record.ts';
export type { NewWrittenConversation, WrittenConversationsQuery } from './written-conversations.ts';
export { callEvaluation, type CallEvaluationRecord } from './call-evaluation.ts';
export * from './webhooks.ts';
export {
  deliveryDetail,
  deliveryRecord,
  newWebhookSecret,
  resendManyBody,
  rotateSecretBody,
  webhookSecret,
  type DeliveryAttemptDetail,
  type DeliveryDetail,
  type DeliveryEvent,
  type DeliveryRecord,
  type NewWebhookSecret,
  type WebhookSecret,
  type WebhookTestResult,
} from './webhook-deliveries.ts';
export {
  endpointRecord,
  type EndpointChanges,
  type EndpointRecord,
  type NewEndpoint,
  type NewEndpointRecord,
  newEndpointBody,
  endpointChangesBody,
} from './webhook-endpoints.ts';
export type { StreamTarget } from './stream-target.ts';
export {
  callDispositionBody,
  callFilters,
  callsFileQuery,
  callsQuery,
  makeCallBody,
  startWebCallBody,
  type CallsQuery,
} from './calls.ts';
export * from './widget-settings.ts';
export * from './lookups.ts';
export type { CallLanes } from './call-lanes.ts';
export type { CallsOfDay, CampaignPace, ProcessHealth, SilenceOfDay } from './overview.ts';
export {
  meRecord,
  newUserBody,
  userChangesBody,
  userRecord,
  userRoles,
  type MeRecord,
  type NewUser,
  type UserChanges,
  type UserRecord,
} from './users.ts';
export {
  newTokenBody,
  newTokenRecord,
  tokenRecord,
  type NewToken,
  type NewTokenRecord,
  type TokenRecord,
} from './tokens.ts';
export {
  inboundRouteBody,
  MAX_ROUTE_RULES,
  type InboundAction,
  type InboundQueue,
  type InboundRouteRecord,
  type InboundRule,
  type NewInboundRoute,
} from './inbound-route.ts';
export {
  newNumberBody,
  numberChangesBody,
  numberSearchQuery,
  ownNumberRecord,
  purchaseNumberBody,
  type ListedNumberRecord,
  type NewNumber,
  type NumberChanges,
  type NumberSearchQuery,
  type OfferedNumberRecord,
  type OwnNumberRecord,
  type PurchaseNumber,
} from './phone-numbers.ts';
export {
  carrierAccountChangesBody,
  connectCarrierBody,
  importNumbersBody,
  newCarrierAccountBody,
  type CarrierAccountChanges,
  type CarrierAccountRecord,
  type CarrierInboundWay,
  type CarrierOutboundWay,
  type CarrierNumberRecord,
  type ImportNumbers,
  type NewCarrierAccount,
} from './carrier-accounts.ts';
export { newSmsBody, type NewSms, type SmsRecord } from './sms.ts';
export { readHostPort, type HostPort } from './host-port.ts';
export { newTrunkBody, trunkChangesBody, type NewTrunk, type TrunkChanges } from './sip-trunk-bodies.ts';
export {
  changesInOwnTerms,
  familyCallingFormat,
  familyTrunkBody,
  familyTrunkChangesBody,
  inSentTerms,
  type FamilyTrunkChanges,
  type NewTrunkWithNumber,
} from './sip-trunk-family.ts';
export {
  registrationStates,
  trunkRecord,
  type TrunkRecord,
  type TrunkRegistrationRecord,
} from './sip-trunks.ts';
export {
  newProviderBody,
  providerChangesBody,
  providerKinds,
  providerRecord,
  type NewProvider,
  type ProviderChanges,
  type ProviderRecord,
} from './providers.ts';
export { consentRecord, type ConsentRecord } from './consents.ts';
export {
  doNotCallFileQuery,
  doNotCallRecord,
  type DoNotCallImport,
  type DoNotCallRecord,
} from './do-not-call.ts';
export { priceList, priceListBody, type PriceList, type PriceListInput } from './prices.ts';
export { endReasons, type EndReason } from './end-reasons.ts';
export {
  dialPolicyBody,
  dialPolicyRecord,
  type DialPolicyInput,
  type DialPolicyRecord,
} from './dial-policy.ts';
export { numberKinds, type NumberKind } from './number-kinds.ts';
export * from './internal.ts';
export { createOpenApi, routesOf, type NamedRoute, type OpenApiOptions } from './openapi.ts';
