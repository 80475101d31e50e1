/** The business: every use case, the rules behind them, and the catalogue of jobs. */
export { createCoreContext, type CoreContext, type CoreOptions } from './context.ts';
export { DomainError, FencedError, type DomainErrorKind, type FieldMessages } from './shared/domain-error.ts';

export { TOKEN_SCOPES, type Identity, type PublicUser, type TokenScope } from './users/identity.ts';
export { createUser, type CreateUserInput } from './users/create-user.ts';
export { createToken, type CreateTokenInput } from './users/create-token.ts';
export { requestConfirmation, takeConfirmation } from './users/action-confirmations.ts';
export { addToWindows, forgetOldWindows, type CountedWindow } from './users/rate-limit-windows.ts';
export { authenticateToken, isTokenActive } from './users/authenticate-token.ts';
export { findUser, findUserByEmail, listUsers, revealWebhookSecret } from './users/find-user.ts';
export { signIn, type SignedIn } from './users/sign-in.ts';
export { createSignInLink, hasAnyoneSignedIn, redeemSignInLink } from './users/sign-in-link.ts';
export { issueToken, listTokens } from './users/own-tokens.ts';
export { revokeToken } from './accounts/revoke-token.ts';
export { inviteAgain, inviteUser } from './accounts/invite-user.ts';
export { removeUser, requestUserRemoval } from './accounts/remove-user.ts';
export { removeUserData } from './accounts/remove-user-data.ts';
export { addUserAccount, changeUserAccount, listUserAccounts } from './accounts/user-accounts.ts';
export { resetSecondFactor } from './accounts/reset-second-factor.ts';
export { changePassword, readPasswordState } from './users/change-password.ts';
export {
  beginSecondFactor,
  clearSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  type NewSecondFactor,
  type SecondFactorState,
} from './users/second-factor.ts';
export { endOtherSessions, endSession, listSessions, type SessionRecord } from './users/own-sessions.ts';
export { changeAnnouncedListening, findAnnouncedListening } from './users/announced-listening.ts';
export { hashSecret, randomSecret } from './shared/random-secret.ts';
export { findCallProcess, requireCallProcess } from './lifecycle/find-call-process.ts';
export { changeNumberCountry, findNumberCountry } from './users/number-country.ts';
export { changeOwnTimeZone } from './users/own-time-zone.ts';
export {
  findSession,
  findSignedIn,
  signOut,
  type FoundSession,
  type SessionCookie,
} from './users/session.ts';
export {
  bootstrapFirstUser,
  type BootstrapInput,
  type BootstrapResult,
} from './setup/bootstrap-first-user.ts';

export { copyAssistant } from './assistants/copy-assistant.ts';
export { createAssistant } from './assistants/create-assistant.ts';
export { updateAssistant, type UpdateAssistantInput } from './assistants/update-assistant.ts';
export {
  findAssistantVersion,
  listAssistantVersions,
  restoreAssistantVersion,
  type RestoreVersionInput,
} from './assistants/assistant-versions.ts';
export { placeDraftCall, type DraftCallInput } from './assistants/place-draft-call.ts';
export type { CallTool, TransferDestination } from './tools/assistant-tools.ts';
export { planToolRequest, type HttpCallTool } from './tools/tool-request.ts';
export { tryAccountTool, tryTool, type ToolTrial } from './assistants/try-tool.ts';
export { deleteAssistant } from './assistants/delete-assistant.ts';
export { eraseDeletedAssistants } from './assistants/erase-assistants.ts';
export {
  switchConversationWebhook,
  switchInboundWebhook,
  switchWebhook,
  type SwitchWebhookInput,
} from './assistants/switch-webhooks.ts';
export { describeRecognition } from './assistants/describe-recognition.ts';
export {
  changeAssistantGroup,
  createAssistantGroup,
  deleteAssistantGroup,
  listAssistantGroups,
} from './assistants/assistant-groups.ts';
export {
  changeAccountTool,
  createAccountTool,
  deleteAccountTool,
  findAccountTool,
  listAccountTools,
} from './assistants/account-tools.ts';
export {
  changeKnowledgebase,
  createKnowledgebase,
  deleteKnowledgebase,
  findKnowledgebase,
  listKnowledgebases,
} from './knowledgebases/knowledgebases.ts';
export {
  changeDocument,
  createDocument,
  deleteDocument,
  findDocument,
  listDocuments,
} from './knowledgebases/documents.ts';
export {
  findDocumentToRead,
  MAX_DOCUMENT_CHARACTERS,
  storeDocument,
  type DocumentToRead,
  type ReadOutcome,
} from './knowledgebases/read-document.ts';
export { embedPassages } from './knowledgebases/embed-passages.ts';
export { erasePersonEverywhere } from './retention/erase-everywhere.ts';
export { createEmbedder, type Embedder, type EmbeddingModel } from './knowledge/embedder.ts';
export { bytesOf, codeOf, similarity } from './knowledge/embedding-code.rules.ts';
export { searchHybrid, type KnowledgeAnswer } from './knowledge/search-hybrid.ts';
export { searchKnowledge, type KnowledgeQuestion, type Passage } from './knowledge/search-knowledge.ts';
export { suiteFaults } from './suites/check-suite.ts';
export { changeSuite, createSuite, deleteSuite, findSuite, listSuites } from './suites/suites.ts';
export { listSuiteRuns } from './suites/list-runs.ts';
export { startReplay, startSuiteRun } from './suites/start-run.ts';
export {
  cancelSuiteRun,
  compareSuiteRuns,
  deleteSuiteRun,
  findSuiteConversation,
  findSuiteRun,
} from './suites/suite-runs.ts';
export {
  claimSuiteConversations,
  findSuiteRunToHold,
  placeSuiteCall,
  renewSuiteConversations,
  storeSuiteConversation,
  type ClaimedConversation,
  type SuiteRunToHold,
} from './suites/hold-conversations.ts';
export {
  addRecordedPhrase,
  deleteRecordedPhrase,
  findPhraseSound,
  findRecordedPhrase,
  listRecordedPhrases,
} from './assistants/recorded-phrases.ts';
export { findPhraseToDecode, storePhrase, type DecodedPhrase } from './assistants/decode-phrase.ts';
export { loadPhraseSound, type CallPhrase } from './recordings/recorded-phrases-of-assistants.ts';
export type { AssistantKnowledge } from './knowledge/knowledge-of-assistant.ts';
export { findAssistant } from './assistants/find-assistant.ts';
export { listAllAssistants, listAssistants, listOutboundAssistants } from './assistants/list-assistants.ts';

export {
  listLanguages,
  listModels,
  listPhoneNumbers,
  listSynthesizerProviders,
  listTranscriberProviders,
  listVoices,
} from './lookups/list-lookups.ts';
export { addProvider, type AddProviderInput } from './lookups/add-provider.ts';
export { findLocalServers } from './lookups/local-servers/find-local-servers.ts';
export { serversAt } from './lookups/local-servers/local-servers.ts';
export {
  refreshAllProviders,
  refreshProvider,
  type RefreshOutcome,
} from './lookups/providers/refresh-provider.ts';
export { checkProvider } from './lookups/providers/check-provider.ts';
export {
  changeProvider,
  createProvider,
  listProviders,
  removeProvider,
} from './lookups/providers/providers.ts';

export { removeInboundRoute, setInboundRoute } from './trunks/inbound-route.ts';
export {
  addNumber,
  addTrunkWithNumber,
  changeNumber,
  listAllNumbers,
  listOwnNumbers,
} from './trunks/phone-numbers.ts';
export { removeNumber, removeTrunk } from './trunks/remove-line.ts';
export {
  addCarrierAccount,
  changeCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
} from './carriers/accounts.ts';
export { connectCarrierAccount } from './carriers/connect-account.ts';
export {
  answerCarrierCall,
  isCarrierStream,
  type CarrierCallAnswer,
} from './carriers/answer-carrier-call.ts';
export { answerTelnyxCall, isTelnyxStream } from './carriers/answer-telnyx-call.ts';
export {
  takeCarrierReport,
  takeTelnyxReport,
  type CarrierCallReport,
} from './carriers/carrier-call-status.ts';
export { openStreamedDial, type PlacedCarrierCall, type StreamedDial } from './carriers/dial-by-stream.ts';
export { endCarrierCall } from './carriers/end-carrier-call.ts';
export { writeRejectTwiml, writeStreamTwiml } from './carriers/stream-twiml.ts';
export { signAsTwilio } from './carriers/twilio-signature.ts';
export { importCarrierNumbers, listCarrierNumbers } from './carriers/account-numbers.ts';
export { searchCarrierNumbers } from './carriers/search-numbers.ts';
export { purchaseNumber } from './carriers/purchase-number.ts';
export { settlePurchase } from './carriers/settle-purchase.ts';
export { beginConversation, findWrittenAssistant } from './written-conversations/begin-conversation.ts';
export { deleteConversation } from './written-conversations/delete-conversation.ts';
export { endInactiveConversations, endOwnConversation } from './written-conversations/end-conversation.ts';
export {
  findConversation,
  listConversations,
  pageOfConversations,
} from './written-conversations/list-conversations.ts';
export { releaseReply, storeReply } from './written-conversations/store-reply.ts';
export { switchAi } from './written-conversations/switch-ai.ts';
export {
  takeMessage,
  type CustomerMessage,
  type TakenMessage,
} from './written-conversations/take-message.ts';
export { findSms, sendSms } from './carriers/send-sms.ts';
export { advanceSms } from './carriers/advance-sms.ts';
export { listTrunkHosts } from './trunks/list-trunk-hosts.ts';
export {
  holdRegistrations,
  registeredByOthers,
  releaseRegistration,
  storeRegistration,
  type RegistrationAccount,
  type RegistrationReport,
} from './trunks/registration-lease.ts';
export {
  countRegistrations,
  findRegistrationFaults,
  type RegistrationFault,
} from './trunks/registration-state.ts';
export {
  loadTrunkToDiagnose,
  requireTrunkToDiagnose,
  type TracedCall,
  type TrunkToDiagnose,
} from './trunks/trunk-to-diagnose.ts';
export { addTrunk, changeTrunk, changeTrunkInEitherTerms, findTrunk, listTrunks } from './trunks/trunks.ts';
export { writeNumberTo } from './trunks/write-number.ts';

export { changeDialPolicy, readDialPolicy } from './fraud-protection/dial-policy.ts';
export { erasePerson } from './retention/erase-person.ts';
export { auditCommitted, writeAudit, type AuditEvent } from './audit/audit-log.ts';
export { storeApiRequests, type NewApiRequest } from './audit/store-api-requests.ts';
export { listApiRequests, type ApiRequestFilters } from './accounts/list-api-requests.ts';
export { listAuditLog, type AuditFilters } from './accounts/list-audit-log.ts';
export { listPrices, readCurrency, setPrices } from './prices/price-list.ts';

export {
  CALL_EVENTS,
  callPhase,
  nextCallStatus,
  type CallEventType,
  type CallPhase,
} from './calls/call-state.rules.ts';
export {
  countInboundRefusal,
  listInboundRefusals,
  type InboundRefusalReason,
} from './calls/inbound-refusals.ts';
export { storedStream } from './lookups/stored-stream.ts';
export { placeCall, previewCall, type CallPreview, type PlaceCallInput } from './lifecycle/place-call.ts';
export { placeWebCall } from './lifecycle/place-web-call.ts';
export { findWidget, placeWidgetCall } from './lifecycle/widget-calls.ts';
export { claimWebCall } from './lifecycle/claim-web-call.ts';
export { findWebCallTicket } from './lifecycle/web-call-ticket.ts';
export { claimStream, type ClaimedStream } from './lifecycle/streamed-call.ts';
export {
  acceptInboundCall,
  type InboundCallInput,
  type InboundCallResult,
} from './lifecycle/accept-inbound-call.ts';
export { giveUpWaiting, takeTurn, type QueueTurn } from './lifecycle/inbound-queue.ts';
export { planDial, releaseIntent, type DialPlan } from './lifecycle/plan-dial.ts';
export { costOfReply, type ReplyCost } from './calls/charge-call.ts';
export { loadAssistantForText } from './calls/load-assistant-for-text.ts';
export {
  loadCallForVoice,
  type AssistantForVoice,
  type CallForVoice,
  type ProviderAccess,
  type ProviderAccount,
  type TrunkAccess,
} from './calls/load-call-for-voice.ts';
export { builtInVariableNames } from './calls/call-context.rules.ts';
export type { CallConfiguration, FrozenAssistant, FrozenResource } from './calls/call-configuration.ts';
export { authorizeDial, type DialAuthorization, type DialRefusal } from './lifecycle/authorize-dial.ts';
export {
  authorizeTransfer,
  type TransferAuthorization,
  type TransferInput,
  type TransferRefusal,
} from './lifecycle/authorize-transfer.ts';
export {
  authorizeBridge,
  type BridgeAuthorization,
  type BridgeRefusal,
  type PermittedBridge,
} from './lifecycle/authorize-bridge.ts';
export {
  authorizeReferral,
  type ReferralAuthorization,
  type ReferralRefusal,
} from './lifecycle/authorize-referral.ts';
export { recordOptOut, type OptOutInput } from './lifecycle/record-opt-out.ts';
export { recordBridgeDialog, recordBridgeEnd } from './lifecycle/record-bridge.ts';
export {
  recordCallEvent,
  noteLateAnswer,
  recordCallNote,
  recordDialog,
  type CallEventInput,
  type CallNoteInput,
} from './lifecycle/record-call-event.ts';
export type { CallEventResult } from './lifecycle/apply-call-event.ts';
export { finishCall, type FinishCallInput } from './lifecycle/finish-call.ts';
export type { UsedQuantity } from './prices/call-costs.rules.ts';
export { completeCall, type EvaluationOutcome } from './lifecycle/complete-call.ts';
export { readEvaluation, type Evaluation, type UnevaluatedReason } from './lifecycle/evaluation.rules.ts';
export {
  loadCallToEvaluate,
  planEvaluation,
  type CallToEvaluate,
  type EvaluationPlan,
} from './lifecycle/plan-evaluation.ts';
export { loadCallToReevaluate, type CallToReevaluate } from './lifecycle/load-call-to-reevaluate.ts';
export { findHangUpTarget, requestHangUp } from './lifecycle/request-hang-up.ts';
export { listCalls, listCallsAfter, listCallSummaries, type CallFilters } from './calls/list-calls.ts';
export { listLiveCalls } from './calls/list-live-calls.ts';
export {
  countCalls,
  RECENT_SECONDS,
  type CallCount,
  type CallCounts,
  type RecentConversations,
} from './calls/count-calls.ts';
export { countCallsByDay, measureSilenceByDay } from './calls/count-calls-by-day.ts';
export { findCall } from './calls/find-call.ts';
export { exportCalls } from './calls/export-calls.ts';
export { setDisposition } from './lifecycle/set-disposition.ts';
export { readLanes } from './calls/read-lanes.ts';
export { findSipCapture, findSipTrace, storeSipTrace, type KeptSipTrace } from './calls/sip-trace.ts';
export { redactValues } from './calls/redact-call.ts';
export { removeCall } from './lifecycle/remove-call.ts';
export { callsChangedSince, startOfChanges, type ChangeCursor } from './calls/calls-changed-since.ts';
export {
  findCallKey,
  findUnread,
  readCallEvents,
  type CallEventsPage,
  type CallKey,
  type FollowedEnd,
  type FollowedEvent,
} from './calls/read-call-events.ts';
export { foldCallCounts } from './calls/fold-call-counts.ts';
export {
  findSilentProcesses,
  SWEEP_REACHABLE_MS,
  sweepCalls,
  type SilentProcess,
} from './lifecycle/sweep-calls.ts';
export { closeLostCall } from './lifecycle/close-lost-call.ts';
export {
  loadInterruptedCall,
  storeCallProgress,
  type CallProgress,
  type InterruptedCall,
} from './lifecycle/call-progress.ts';
export {
  findCallsOfOthers,
  registerSuccessor,
  takeOverCalls,
  type TakenCall,
} from './lifecycle/take-over-calls.ts';

export { createLead } from './leads/create-lead.ts';
export { createLeads } from './leads/create-leads.ts';
export { explainLead } from './leads/explain-lead.ts';
export { findLead, findLeadSummary } from './leads/find-lead.ts';
export { findLeadOfCall } from './leads/find-lead-of-call.ts';
export {
  listLeads,
  listLeadsAfter,
  listLeadSummaries,
  streamLeads,
  type LeadFilters,
} from './leads/list-leads.ts';
export { updateLead } from './leads/update-lead.ts';
export { changeLeads, type LeadSelection } from './leads/change-leads.ts';
export { exportLeads } from './leads/export-leads.ts';
export { deleteLead } from './leads/delete-lead.ts';

export { checkLeads } from './imports/check-leads.ts';
export { importLeads, type LeadUpload } from './imports/import-leads.ts';
export type { ImportOptions } from './imports/read-lead-file.ts';
export { findImport, listImports } from './imports/find-imports.ts';
export { reportImport } from './imports/import-report.ts';
export { readColumns } from './imports/read-columns.ts';
export { removeImportedLeads, undoImport, type UndoneImport } from './imports/undo-import.ts';

export { createCampaign } from './campaigns/create-campaign.ts';
export { findCampaign, listCampaigns } from './campaigns/find-campaign.ts';
export { foldLeadCounts } from './campaigns/fold-lead-counts.ts';
export { listProgress } from './campaigns/list-progress.ts';
export { updateCampaign } from './campaigns/update-campaign.ts';
export { deleteCampaign } from './campaigns/delete-campaign.ts';
export { forecastCampaign } from './campaigns/forecast-campaign.ts';
export { measurePace } from './campaigns/measure-pace.ts';
export { removeLeads } from './campaigns/remove-leads.ts';
export { startCampaign, stopCampaign, type StartResult } from './campaigns/update-campaign-status.ts';
export { arm } from './setup/arm.ts';
export { resealSecrets } from './setup/reseal-secrets.ts';
export { readProcessHealth } from './capacity/read-health.ts';
export { findDisarmed, type DisarmedCopy } from './capacity/disarmed.ts';
export { wakeCampaign } from './jobs/wake-campaign.ts';
export { runCampaign } from './lifecycle/run-campaign.ts';
export { findLeadFaults, repairLeads, type LeadFault } from './dialing/check-leads.ts';
export { reportReachedCosts } from './outbox/report-limits.ts';
export { sweepCampaigns } from './dialing/sweep-campaigns.ts';
export { windowAt, type CallingWindow, type WindowState } from './dialing/calling-window.rules.ts';

export { listConsents, recordConsent, removeConsent, type ConsentEntry } from './consents/consent-records.ts';
export {
  addToDoNotCallList,
  listDoNotCall,
  removeFromDoNotCallList,
  type DoNotCallEntry,
} from './do-not-call/do-not-call-list.ts';
export { exportDoNotCall } from './do-not-call/export-do-not-call.ts';
export { importDoNotCall } from './do-not-call/import-do-not-call.ts';

export {
  LEASE_MS,
  LEASE_RENEWAL_MS,
  dropVoiceProcess,
  findLivingVoiceProcess,
  pickVoiceProcess,
  registerVoiceProcess,
  renewLease,
  type PublishedLoad,
  type VoiceFence,
  type VoiceProcessAddress,
} from './capacity/lease.ts';
export type { RecognitionSupport } from './capacity/recognition-support.ts';

export {
  claimDeliveries,
  findNextRetry,
  type DeliveryClaim,
  type DueDelivery,
} from './webhooks/claim-deliveries.ts';
export { recordDeliveryAttempts, type DeliveryAttempt } from './webhooks/record-delivery-attempts.ts';
export { releaseClaimsSql, type RecordedAttempt } from './outbox/delivery-state.ts';
export { WEBHOOK_CHANNEL } from './outbox/wake-webhooks.ts';
export { signStream } from './webhooks/sign-stream.ts';
export { findWebhookSecret, rotateWebhookSecret } from './webhooks/webhook-secret.ts';
export {
  findDelivery,
  listDeliveries,
  listDeliveriesAfter,
  type DeliveryFilters,
} from './webhooks/list-deliveries.ts';
export { sendTestEvent, testEndpoint } from './webhooks/send-test-event.ts';
export {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  revealEndpointSecrets,
  rotateEndpointSecret,
} from './webhooks/endpoints.ts';
export { resendDelivery } from './webhooks/resend-delivery.ts';
export { requestResend, resendBatch, type ResendRequest } from './webhooks/resend-many.ts';
export { removeExpiredData, type RetentionDays } from './retention/expired-data.ts';
export {
  countExpiredKinds,
  previewRetention,
  readRetentionPeriods,
  retentionDaysOf,
  type RetentionPeriod,
  type RetentionSettings,
} from './retention/expired-kinds.ts';
export { askInboundWebhook, type InboundWebhookInput } from './webhooks/ask-inbound-webhook.ts';

export { enqueueDial } from './jobs/enqueue-dial.ts';
export { jobs, enqueue, type EnqueueOptions, type JobName, type JobPayload } from './jobs/catalogue.ts';

export type { ByteRange, RecordingStorage, RecordingWriter } from './shared/recording-storage.ts';
export { createSecretBox, UnknownKeyError } from './shared/secret-box.ts';
export { diskStorage } from './recordings/disk-storage.ts';
export { findRecordingByUrl } from './recordings/recording-url.ts';
export { isNoisy, replaceRecording, type NoisyRecording } from './lifecycle/replace-recording.ts';
