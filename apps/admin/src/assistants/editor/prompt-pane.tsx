/** A large text field in which `{{variables}}` are highlighted, and those without a value are named below it. */
import { Input, Textarea } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useId } from 'react';
import { isKnown, partsOf, unknownNames } from './placeholders.rules.ts';
import classes from './prompt-pane.module.css';
import { texts } from './texts.ts';

interface PromptPaneProps {
  label: string;
  description: ReactNode;
  value: string;
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
  error?: ReactNode;
  /** Names of variables that have a value before the call. */
  known: ReadonlySet<string>;
  isLarge: boolean;
  testId: string;
}

function noteOf(value: string, unknown: readonly string[]): string {
  const count = new Set(partsOf(value).flatMap(({ name }) => name ?? [])).size;
  if (count === 0) return texts.placeholders.hint;
  return unknown.length === 0
    ? texts.placeholders.allKnown(count)
    : texts.placeholders.unknown(unknown.join(', '));
}

/** The field grows with its text, up to most of a screen; a longer text is scrolled. */
export function PromptPane({ value, known, isLarge, testId, error, ...field }: PromptPaneProps): ReactNode {
  const id = useId();
  const noteId = useId();
  const unknown = unknownNames(value, known);
  return (
    <Input.Wrapper id={id} label={field.label} description={field.description} error={error} withAsterisk>
      <div className={classes['pane']}>
        <div className={classes['sheet']}>
          <div className={classes['copy']} data-large={isLarge} aria-hidden="true">
            {partsOf(value).map(({ at, text, name, fallback }) =>
              name === undefined ? (
                text
              ) : (
                <mark
                  key={at}
                  className={classes['mark']}
                  data-unknown={fallback === undefined && !isKnown(name, known)}
                >
                  {text}
                </mark>
              ),
            )}
            {/* A line break at the end has no height of its own. */}
            {'\u200b'}
          </div>
          <Textarea
            id={id}
            classNames={{ root: classes['root'] ?? '', input: classes['field'] ?? '' }}
            value={value}
            onChange={field.onChange}
            error={Boolean(error)}
            aria-describedby={noteId}
            data-testid={testId}
          />
        </div>
      </div>
      <div
        id={noteId}
        className={classes['note']}
        data-unknown={unknown.length > 0}
        data-testid={`${testId}-note`}
      >
        {noteOf(value, unknown)}
      </div>
    </Input.Wrapper>
  );
}
