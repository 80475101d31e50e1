/**
 * The script of the demo assistants: they book an appointment, by voice where phrases can be recognised, and by keys
 * everywhere. docs/scripted-dialogue.md describes the format. The greeting of each assistant asks the first question.
 */

/** The end of every demo greeting: a question for a day. */
export const DEMO_QUESTION =
  'I can book an appointment for you. Which day suits you: Monday, Wednesday or Friday? Say the day, or press 1, 3 or 5.';

/** Day, time, name, confirmation. `day`, `time`, `name` and `booked` become variables of the call. */
export const DEMO_SCRIPT = `#script
// The demo of Parley: books an appointment. Change it, or give the assistant another model and a prompt.

[day]
say Which day suits you: Monday, Wednesday or Friday? Or press 1, 3 or 5.
on monday, on monday, the first one, key 1 -> time, day = Monday
on wednesday, on wednesday, the second one, key 3 -> time, day = Wednesday
on friday, on friday, the last one, key 5 -> time, day = Friday
on none of them, another day -> later
otherwise -> later

[time]
say {day}. In the morning at ten, or in the afternoon at three? Or press 1 for the morning, 2 for the afternoon.
on in the morning, the morning, morning, at ten, ten o'clock, key 1 -> name, time = ten in the morning
on in the afternoon, the afternoon, afternoon, at three, three o'clock, key 2 -> name, time = three in the afternoon
on another day -> day
otherwise -> later

[name]
say What is your first name? If I do not know it, press 1 to go on without.
tries 1
on Alex, Alice, Andrew, Anna, Barbara, Charles, Daniel, David, Elizabeth, Emily -> check, name = {said}
on Emma, George, James, Jennifer, Jessica, John, Joseph, Julia, Karen, Laura -> check, name = {said}
on Linda, Lisa, Lucy, Maria, Mark, Martin, Mary, Michael, Nancy, Patricia -> check, name = {said}
on Paul, Peter, Richard, Robert, Sam, Sarah, Susan, Thomas, Victor, William -> check, name = {said}
on key 1 -> check, name = you
otherwise -> check without name

[check]
say {day} at {time}, for {name}. Is that right? Say yes or no, or press 1 for yes, 2 for no.
on yes, yeah, right, that is right, correct, okay, key 1 -> booked, booked = yes
on no, nope, wrong, that is wrong, key 2 -> day
otherwise -> later

[check without name]
say {day} at {time}. Is that right? Say yes or no, or press 1 for yes, 2 for no.
on yes, yeah, right, that is right, correct, okay, key 1 -> booked, booked = yes
on no, nope, wrong, that is wrong, key 2 -> day
otherwise -> later

[booked]
say Thank you. You are booked for {day} at {time}. Goodbye.

[later]
say Then a person will call you back. Thank you for trying this demonstration. Goodbye.

[bye]
say Thank you for your call. Goodbye.

[anywhere]
on goodbye, bye, key 9 -> bye
`;
