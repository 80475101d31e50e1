/** A choice between a few words: radio buttons, drawn as one bar. */
import { type ReactNode, useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  'data-testid'?: string;
}

/** Only style sheets draw it: Mantine's control measures itself in scripts, which makes a browser compute the layout of the page twice. */
export function Segments<Value extends string>({
  label,
  options,
  value: chosen,
  onChange,
  ...others
}: SegmentsProps<Value>): ReactNode {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes['segments']} {...others}>
      {options.map(({ value, label: word }) => (
        <label key={value} className={classes['segment']}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChange(value)}
          />
          {word}
        </label>
      ))}
    </div>
  );
}
