/** What the people of `people-plan.rules.ts` say. */
import type { Act } from './people-plan.rules.ts';

const SENTENCES = [
  'Tomorrow at three would be fine.',
  'I would like a table for four people.',
  'My name is Robert Miller.',
  'No, in the evening please.',
  'Yes, that is right.',
  'Do you have anything near the window?',
];
/** What is said in each act. */
export const PEOPLE_TEXTS = {
  hello: ['Hello?', 'Hello, who is there?'],
  reply: SENTENCES,
  early: ['Yes.', 'No.', 'Tuesday.', 'At seven.', 'Four people.'],
  interrupt: ['Sorry, I would like to change the time.', 'Wait, I have another question.', ...SENTENCES],
  backchannel: ['Uh-huh.', 'Okay.', 'Right.'],
  pause: ['I would like to come on', 'We are four people and'],
  long: [
    'Well, my sister comes from London that day, and she brings her two children, who do not like fish at all, so I hope ' +
      'that you have something else for them, and my husband would like to sit near the window, if that is possible.',
  ],
  background: SENTENCES,
} satisfies Record<Exclude<Act, 'silence' | 'key'>, string[]>;
/** What follows the pause of `pause`. */
export const TEXTS_AFTER_PAUSE = ['the first Tuesday of next month.', 'one of us is in a wheelchair.'];
