/** The facts of a call: who, when, how long, how it ended. */
import type { CallDetail } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useAccountZone } from '../session/use-account-zone.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { instantOfLocal } from '../ui/format.rules.ts';
import { FullInstant } from '../ui/instant.tsx';
import { TextLink } from '../ui/link-button.tsx';
import { Section } from '../ui/section.tsx';
import { CallDuration } from './call-duration.tsx';
import { describeReason } from './call-reason.rules.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { texts } from './texts.ts';

const ENDED_BY: Record<string, string> = texts.facts.endedBy;

function AssistantName({ call }: { call: CallDetail }): ReactNode {
  return (
    <TextLink to="/assistants/$assistantId" params={{ assistantId: call.assistant_id }} size="sm">
      {call.assistant_name}
    </TextLink>
  );
}

function CampaignName({ call: { campaign_id: id, campaign_name: name } }: { call: CallDetail }): ReactNode {
  if (id === null) return null;
  return (
    <TextLink to="/campaigns/$campaignId" params={{ campaignId: id }} size="sm">
      {name}
    </TextLink>
  );
}

/** The number leads to the lead that was called, until it is deleted. */
function Customer({
  call: { id, campaign_id: campaignId, client_phone_number: number },
}: {
  call: CallDetail;
}): ReactNode {
  const lead = useQuery({
    ...useTRPC().leads.ofCall.queryOptions({ call_id: id }),
    enabled: campaignId !== null,
  }).data;
  if (!number) return null;
  if (!lead) return <PhoneNumber number={number} />;
  return (
    <TextLink to="/leads/$leadId" params={{ leadId: lead.id }} size="sm" data-testid="call-lead">
      <PhoneNumber number={number} />
    </TextLink>
  );
}

function describeIdentity({
  verstat,
  attestation,
  signature,
}: NonNullable<CallDetail['caller_identity']>): string {
  const { identity } = texts.facts;
  return [
    identity.signatures[signature],
    attestation === null ? '' : identity.attestation(attestation),
    verstat === null ? '' : identity.verstat(verstat),
  ]
    .filter(Boolean)
    .join(', ');
}

/** What only some inbound calls have. */
function callerFacts({
  caller_name: name,
  caller_identity: identity,
  diverted_from: divertedFrom,
}: CallDetail): Fact[] {
  return [
    ...(name ? [[texts.facts.callerName, name] as const] : []),
    ...(identity ? [[texts.facts.callerIdentity, describeIdentity(identity)] as const] : []),
    ...(divertedFrom
      ? [[texts.facts.divertedFrom, <PhoneNumber key="diverted" number={divertedFrom} />] as const]
      : []),
  ];
}

/** A card of named values. */
export function CallFacts({ call }: { call: CallDetail }): ReactNode {
  const zone = useAccountZone();
  return (
    <Section title={texts.facts.title}>
      <Facts
        facts={[
          [texts.facts.assistant, <AssistantName key="assistant" call={call} />],
          [texts.facts.campaign, call.campaign_id && <CampaignName key="campaign" call={call} />],
          [texts.facts.type, texts.types[call.type]],
          [texts.customer, call.client_phone_number && <Customer key="customer" call={call} />],
          ...callerFacts(call),
          [
            texts.facts.ownNumber,
            call.assistant_phone_number && <PhoneNumber number={call.assistant_phone_number} />,
          ],
          [
            texts.facts.trunk,
            call.sip_trunk_name && (
              <TextLink key="trunk" to="/trunks" size="sm">
                {call.sip_trunk_name}
              </TextLink>
            ),
          ],
          [texts.facts.placed, <FullInstant key="placed" at={instantOfLocal(call.created_at, zone)} />],
          [texts.facts.answered, call.answered_at && <FullInstant key="answered" at={call.answered_at} />],
          [texts.facts.answeredByLabel, texts.facts.answeredBy[call.answered_by]],
          [texts.facts.duration, <CallDuration key="duration" call={call} />],
          [texts.facts.endedByLabel, call.ended_by && (ENDED_BY[call.ended_by] ?? call.ended_by)],
          [texts.facts.reason, call.ended_reason && describeReason(call.ended_reason)],
        ]}
      />
    </Section>
  );
}
