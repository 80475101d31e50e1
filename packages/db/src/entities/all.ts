/** Every entity, for the ORM and its migrator. */
import { ApiRequest } from './api-request.ts';
import { AuditEntry } from './audit-entry.ts';
import { Assistant } from './assistant.ts';
import { AssistantVersion } from './assistant-version.ts';
import { CarrierAccount, NumberPurchase } from './carrier-account.ts';
import {
  Call,
  CallCount,
  CallCountChange,
  CallDayCount,
  CallEvent,
  CallProgress,
  LiveCall,
  Recording,
} from './call.ts';
import { Campaign, CampaignWake, DialQueueEntry, Lead, LeadCount, LeadCountChange } from './campaign.ts';
import { Delivery, DeliveryAttempt } from './delivery.ts';
import { DialCost, DialLimits, DialUsage, DialWarning } from './dial-limits.ts';
import { DialPolicy } from './dial-policy.ts';
import { AssistantGroup } from './assistant-group.ts';
import { Consent } from './consent.ts';
import {
  ChunkCode,
  ChunkVector,
  Document,
  DocumentChunk,
  DocumentSource,
  EmbeddingUsage,
  Knowledgebase,
} from './knowledgebase.ts';
import { Suite, SuiteConversation, SuiteRun } from './suite.ts';
import { Tool } from './tool.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import { DoNotCall } from './do-not-call.ts';
import { InboundRefusal } from './inbound-refusal.ts';
import { LeadImport, LeadImportError } from './lead-import.ts';
import { NumberAttempt } from './number-attempt.ts';
import { Trunk, TrunkOutcome, TrunkRegistration } from './line.ts';
import { PhoneNumber } from './phone-number.ts';
import { RecordedPhrase, RecordedPhraseSound } from './recorded-phrase.ts';
import { Language, LlmModel, Provider, Voice } from './lookup.ts';
import { Price, PriceSettings } from './price.ts';
import { RestoredCopy } from './restored-copy.ts';
import { SipTrace } from './sip-trace.ts';
import {
  ActionConfirmation,
  ApiToken,
  IdempotencyKey,
  RateLimitWindow,
  RecoveryCode,
  Session,
  SignInAttempt,
  SignInLink,
  User,
} from './user.ts';
import { SmsMessage } from './sms-message.ts';
import { CallDisposition } from './call-disposition.ts';
import { VoiceProcess } from './voice-process.ts';
import { WidgetCall } from './widget-call.ts';
import { WrittenConversation, WrittenMessage } from './written-conversation.ts';

export const entities = [
  User,
  ApiToken,
  ActionConfirmation,
  Session,
  SignInLink,
  RecoveryCode,
  SignInAttempt,
  RateLimitWindow,
  IdempotencyKey,
  Provider,
  Language,
  LlmModel,
  Voice,
  Trunk,
  TrunkOutcome,
  TrunkRegistration,
  CarrierAccount,
  NumberPurchase,
  PhoneNumber,
  SmsMessage,
  CallDisposition,
  Price,
  PriceSettings,
  Assistant,
  AssistantVersion,
  RecordedPhrase,
  RecordedPhraseSound,
  Campaign,
  CampaignWake,
  Lead,
  DialQueueEntry,
  LeadCount,
  LeadCountChange,
  LeadImport,
  LeadImportError,
  AssistantGroup,
  Tool,
  Suite,
  SuiteRun,
  SuiteConversation,
  WebhookEndpoint,
  Knowledgebase,
  Document,
  DocumentSource,
  DocumentChunk,
  ChunkCode,
  ChunkVector,
  EmbeddingUsage,
  Consent,
  DoNotCall,
  DialPolicy,
  DialLimits,
  DialUsage,
  DialCost,
  DialWarning,
  NumberAttempt,
  Call,
  CallEvent,
  CallCount,
  CallCountChange,
  CallDayCount,
  LiveCall,
  CallProgress,
  Recording,
  SipTrace,
  Delivery,
  DeliveryAttempt,
  VoiceProcess,
  InboundRefusal,
  RestoredCopy,
  ApiRequest,
  AuditEntry,
  WidgetCall,
  WrittenConversation,
  WrittenMessage,
];
