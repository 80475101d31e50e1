/** A phone number whose digits are grouped for reading. The text stays E.164: it is what is copied and searched for. */
import type { ReactNode } from 'react';
import classes from './phone-number.module.css';
import { groupDigits, splitAtNumbers } from './phone-number.rules.ts';

/** A text, such as a title, in which phone numbers are grouped. */
export function TextWithNumbers({ text }: { text: string }): ReactNode {
  // oxlint-disable-next-line react/no-array-index-key -- parts have no identity and keep their order
  return splitAtNumbers(text).map((part, place) => <PhoneNumber key={place} number={part} />);
}

/** Texts that are no number in E.164 are shown as they are. */
export function PhoneNumber({ number }: { number: string }): ReactNode {
  const groups = groupDigits(number);
  if (groups.length === 1) return number;
  return (
    <span className={classes['number']}>
      {groups.map((group, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- groups have no identity and keep their order
        <span key={place} className={classes['group']}>
          {group}
        </span>
      ))}
    </span>
  );
}
