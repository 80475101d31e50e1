/** A conversation with an assistant as its editor shows it, with changes that are not saved. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { useState } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { unseenMessage } from '../client/field-faults.rules.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { isUnderWay } from '../web-call/talk-stage.rules.ts';
import { type Talk, useTalk } from '../talk/use-talk.ts';
import {
  type BegunCall,
  type DraftNote,
  draftNotes,
  enteredVariables,
  type OfferedVariable,
  offeredVariables,
} from './draft-talk.rules.ts';
import { type AssistantLookups, changesBody } from './editor/assistant-draft.ts';
import { faultsOfFields, shownNames, tabsWithFaults } from './editor/editor-tabs.rules.ts';
import { suppliedVariables } from './editor/known-variables.rules.ts';
import type { EditedDraft } from './editor/use-assistant-draft.ts';
import { texts } from './texts.ts';

/** What the panel shows. */
export interface DraftTalk {
  talk: Talk;
  hasChanges: boolean;
  notes: DraftNote[];
  variables: OfferedVariable[];
  entered: Readonly<Record<string, string>>;
  enter: (name: string, value: string) => void;
}

interface DraftTalkOptions {
  assistant: AssistantDetailsRecord;
  lookups: AssistantLookups;
  draft: EditedDraft;
  /** Called before the faults of the draft are shown at their fields. */
  onFaults: () => void;
}

/** The conversation continues when the panel is not shown. Leaving the page hangs up. */
export function useDraftTalk({ assistant, lookups, draft, onFaults }: DraftTalkOptions): DraftTalk {
  const client = useTRPCClient();
  const [begun, setBegun] = useState<BegunCall | null>(null);
  const [entered, setEntered] = useState<Record<string, string>>({});
  const { form, before } = draft;
  const { values } = form;
  const hasChanges = draft.changes > 0;
  const variables = offeredVariables(values, suppliedVariables(lookups, assistant.tools));

  const refuse = (faults: Record<string, unknown>): void => {
    onFaults();
    draft.showFaults(faults);
  };
  const place = () =>
    client.calls.startWebCall.mutate({
      assistant_id: assistant.id,
      ...(hasChanges && { draft: changesBody(values, before, assistant) }),
      variables: enteredVariables(variables, entered),
    });
  const talk = useTalk(async () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) {
      refuse(errors);
      throw new Error(texts.draftTalk.faults);
    }
    setBegun({ values, hasChanges });
    return place().catch((cause: unknown) => {
      const error = readRequestError(cause);
      const faults = faultsOfFields(firstMessages(error.fields));
      form.setErrors(faults);
      if (tabsWithFaults(faults).length > 0) refuse(faults);
      throw new Error(unseenMessage(error, shownNames(error.fields)) ?? texts.draftTalk.faults, { cause });
    });
  });
  return {
    talk,
    hasChanges,
    notes: draftNotes(isUnderWay(talk.state.stage) ? begun : null, { values, hasChanges }),
    variables,
    entered,
    enter: (name, value) => setEntered((known) => ({ ...known, [name]: value })),
  };
}
