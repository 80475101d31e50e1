/** What a new user does first: three steps with their states. */
import { Button, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LinkButton } from '../ui/link-button.tsx';
import { Section } from '../ui/section.tsx';
import classes from './first-steps.module.css';
import { FIRST_STEPS, type FirstStep, type FirstStepsState } from './first-steps.rules.ts';
import { texts } from './texts.ts';

interface ActionProps {
  step: FirstStep;
  talkTo: number | null;
  /** The next step stands out. */
  isNext: boolean;
}

function StepAction({ step, talkTo, isNext }: ActionProps): ReactNode {
  const variant = isNext ? 'filled' : 'default';
  const { action } = texts.firstSteps.steps[step];
  if (step === 'connect')
    return (
      <LinkButton to="/trunks" size="xs" variant={variant}>
        {action}
      </LinkButton>
    );
  if (step === 'create')
    return (
      <LinkButton to="/assistants/new" size="xs" variant={variant}>
        {action}
      </LinkButton>
    );
  if (talkTo === null) return null;
  return (
    <LinkButton
      to="/assistants/$assistantId/talk"
      params={{ assistantId: talkTo }}
      size="xs"
      variant={variant}
      data-testid="first-step-talk"
    >
      {action}
    </LinkButton>
  );
}

function textOf(step: FirstStep, { isDone, talkTo }: { isDone: boolean; talkTo: number | null }): string {
  if (isDone) return texts.firstSteps.done;
  return step === 'talk' && talkTo === null
    ? texts.firstSteps.noAssistant
    : texts.firstSteps.steps[step].text;
}

interface FirstStepsProps extends FirstStepsState {
  onHide: () => void;
}

/** A step that is done has no button. */
export function FirstSteps({ done, talkTo, onHide }: FirstStepsProps): ReactNode {
  const next = FIRST_STEPS.find((step) => !done.has(step) && (step !== 'talk' || talkTo !== null));
  return (
    <Section
      title={texts.firstSteps.title}
      aside={
        <Button variant="subtle" size="compact-sm" onClick={onHide} data-testid="first-steps-hide">
          {texts.firstSteps.hide}
        </Button>
      }
    >
      <ol className={classes['steps']} data-testid="first-steps">
        {FIRST_STEPS.map((step, at) => {
          const isDone = done.has(step);
          return (
            <li
              key={step}
              className={classes['step']}
              data-testid={`first-step-${step}-${isDone ? 'done' : 'open'}`}
            >
              <span className={classes['mark']} data-done={isDone || undefined} aria-hidden>
                {isDone ? <IconCheck size={16} stroke={2} /> : at + 1}
              </span>
              <div className={classes['words']}>
                <Text size="sm" fw={600}>
                  {texts.firstSteps.steps[step].title}
                </Text>
                <Text size="sm" c="dimmed">
                  {textOf(step, { isDone, talkTo })}
                </Text>
              </div>
              {!isDone && <StepAction step={step} talkTo={talkTo} isNext={step === next} />}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
