/** The panel beside the editor, in which an operator talks to the draft of an assistant. */
import { Button, Fieldset, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { later } from '../ui/later.ts';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';
import type { DraftTalk } from './use-draft-talk.ts';

const RecognitionNote = later(() => import('../talk/recognition-note.tsx'), 'RecognitionNote');
const TalkPanel = later(() => import('../talk/talk-panel.tsx'), 'TalkPanel');
/** The height of the panel before a conversation. */
const PANEL_PIXELS = 300;

function Notes({ notes }: Pick<DraftTalk, 'notes'>): ReactNode {
  return (
    <div role="status" data-testid="draft-notes">
      {notes.map((note) => (
        <Text key={note} size="sm" ta="center" fw={500}>
          {texts.draftTalk[note]}
        </Text>
      ))}
    </div>
  );
}

function VariableFields({ variables, entered, enter }: DraftTalk): ReactNode {
  if (variables.length === 0) return null;
  return (
    <Fieldset variant="unstyled" legend={texts.draftTalk.variables} w="100%">
      <Stack gap="sm">
        {variables.map(({ name, preset }) => (
          <TextInput
            key={name}
            label={name}
            placeholder={preset}
            value={entered[name] ?? ''}
            autoComplete="off"
            data-testid={`talk-variable-${name}`}
            onChange={(event) => enter(name, event.currentTarget.value)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

interface DraftTalkPanelProps {
  draftTalk: DraftTalk;
  assistantId: number;
  assistantName: string;
}

function DraftTalkPanel({ draftTalk, assistantId, assistantName }: DraftTalkPanelProps): ReactNode {
  return (
    <TalkPanel
      talk={draftTalk.talk}
      assistantName={assistantName}
      notes={<Notes notes={draftTalk.notes} />}
      preparation={
        <>
          {/* It describes the stored assistant. */}
          {!draftTalk.hasChanges && <RecognitionNote assistantId={assistantId} />}
          <VariableFields {...draftTalk} />
        </>
      }
    />
  );
}

/** On wide screens. */
export function DockedDraftTalk(props: DraftTalkPanelProps): ReactNode {
  return (
    <Section title={texts.draftTalk.title}>
      <Suspense fallback={<Skeleton h={PANEL_PIXELS} radius="md" />}>
        <DraftTalkPanel {...props} />
      </Suspense>
    </Section>
  );
}

/** On narrow screens. A call continues while it is closed, so that the form can be seen and edited. */
export function DraftTalkDrawer({
  isOpen,
  onClose,
  ...panel
}: DraftTalkPanelProps & { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog title={texts.draftTalk.title} isOpen={isOpen} isDrawer onClose={onClose}>
      <Stack gap="lg">
        <DraftTalkPanel {...panel} />
        <Button variant="default" onClick={onClose} data-testid="talk-close">
          {texts.draftTalk.close}
        </Button>
      </Stack>
    </Dialog>
  );
}
