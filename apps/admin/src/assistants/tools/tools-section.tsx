/** The tools of an assistant: add, edit and remove them. */
import type { AssistantRecord, AssistantToolRecord } from '@parley/contracts';
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { AskFirst } from '../../ui/ask-first.tsx';
import table from '../../ui/data-table.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { Section } from '../../ui/section.tsx';
import { unchanged } from './tool-draft.rules.ts';
import { TOOL_KINDS, toolName, toolSummary, type ToolType, toolTypes } from './tool-kinds.rules.ts';
import { useSaveTools } from './use-save-tools.ts';
import { texts } from './texts.ts';
import { later } from '../../ui/later.ts';

const ToolForm = later(() => import('./tool-form.tsx'), 'ToolForm');

const COLUMNS: readonly Column[] = [
  [texts.list.columns.tool],
  [texts.list.columns.does, table['mediumOnly']],
  [''],
];

interface ToolProps {
  assistant: AssistantRecord;
  tool: AssistantToolRecord;
  place: number;
}

function titleOf(tool: AssistantToolRecord): string {
  return toolName(tool) ?? TOOL_KINDS[tool.type].label;
}

function RemoveButton({ assistant, tool, place }: ToolProps): ReactNode {
  const save = useSaveTools(assistant.id);
  const { tools } = assistant;
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(titleOf(tool))}
      question={texts.remove.question(titleOf(tool))}
      text={texts.remove.text}
      keep={texts.remove.keep}
      testId="tool-remove"
      run={() => save.mutateAsync({ before: tools, after: tools.toSpliced(place, 1).map(unchanged) })}
    />
  );
}

function ToolRow({ onEdit, ...props }: ToolProps & { onEdit: () => void }): ReactNode {
  const { tool } = props;
  const name = toolName(tool);
  return (
    <tr data-testid="tool-row" data-type={tool.type}>
      <td className={table['wrap']}>
        {titleOf(tool)}
        {name !== null && <div className={table['under']}>{TOOL_KINDS[tool.type].label}</div>}
      </td>
      <td className={`${table['mediumOnly']} ${table['wrap']} ${table['anywhere']} ${table['minor']}`}>
        {toolSummary(tool) || '–'}
      </td>
      <td className={table['number']}>
        <RowActions>
          <RowButton
            action={texts.list.edit}
            label={texts.list.editLabel(titleOf(tool))}
            testId="tool-edit"
            onClick={onEdit}
          />
          <RemoveButton {...props} />
        </RowActions>
      </td>
    </tr>
  );
}

function TypeSelect({ type, onPick }: { type: ToolType; onPick: (type: ToolType) => void }): ReactNode {
  return (
    <NativeSelect
      label={texts.list.type}
      data={toolTypes.map((value) => ({ value, label: TOOL_KINDS[value].label }))}
      value={type}
      mb="md"
      data-testid="tool-type"
      onChange={(event) => onPick(event.currentTarget.value as ToolType)}
    />
  );
}

/** The tool being edited. The list of tools is the one that was on screen when the dialog opened. */
interface Editing {
  tools: readonly AssistantToolRecord[];
  place: number;
  type: ToolType;
}

/** Tools that are not edited are sent back unchanged. */
export function ToolsSection({ assistant }: { assistant: AssistantRecord }): ReactNode {
  const { id, tools } = assistant;
  const [editing, setEditing] = useState<Editing | null>(null);
  const edited = editing && editing.tools[editing.place];
  const close = (): void => setEditing(null);
  return (
    <Section
      title={texts.list.title}
      aside={
        <Button
          size="xs"
          data-testid="new-tool"
          onClick={() => setEditing({ tools, place: tools.length, type: 'http_request' })}
        >
          {texts.list.add}
        </Button>
      }
    >
      {tools.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.list.empty}
        </Text>
      ) : (
        <DataTable columns={COLUMNS}>
          {tools.map((tool, place) => (
            <ToolRow
              key={`${tool.type}:${toolName(tool)}`}
              assistant={assistant}
              tool={tool}
              place={place}
              onEdit={() => setEditing({ tools, place, type: tool.type })}
            />
          ))}
        </DataTable>
      )}
      <Dialog title={edited ? titleOf(edited) : texts.list.new} isOpen={editing !== null} onClose={close}>
        {editing && (
          <Stack gap={0}>
            {!edited && (
              <TypeSelect type={editing.type} onPick={(type) => setEditing({ ...editing, type })} />
            )}
            <ToolForm key={editing.type} {...editing} assistantId={id} onDone={close} />
          </Stack>
        )}
      </Dialog>
    </Section>
  );
}
