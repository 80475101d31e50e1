/** Beside the editor of an assistant, below its Talk panel: a test call, its versions, and where its conversations are. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Facts } from '../../ui/facts.tsx';
import { FullInstant } from '../../ui/instant.tsx';
import { TextLink } from '../../ui/link-button.tsx';
import { Section } from '../../ui/section.tsx';
import { CallNumber } from './call-number.tsx';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { texts } from '../texts.ts';
import { VersionsButton } from '../versions/versions-button.tsx';

interface AssistantAsideProps {
  assistant: AssistantDetailsRecord;
  lookups: AssistantLookups;
}

/** Cards. */
export function AssistantAside({ assistant, lookups }: AssistantAsideProps): ReactNode {
  const conversations = (
    <TextLink to="/conversations" search={{ assistant: assistant.id }} size="sm">
      {texts.page.viewConversations}
    </TextLink>
  );
  return (
    <>
      <CallNumber assistantId={assistant.id} />
      <Section title={texts.page.history} aside={<VersionsButton assistant={assistant} lookups={lookups} />}>
        <Facts
          facts={[
            [texts.page.created, <FullInstant key="created" at={assistant.created_at} />],
            [texts.page.updated, <FullInstant key="updated" at={assistant.updated_at} />],
            [texts.page.conversations, conversations],
          ]}
        />
      </Section>
    </>
  );
}
