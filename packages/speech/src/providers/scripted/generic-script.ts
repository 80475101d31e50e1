/**
 * The script for an assistant whose prompt is not a script: a demonstration that introduces itself as one. Yes and no count
 * only after the choices were offered; before that they may answer a question of the greeting.
 */

/** See docs/scripted-dialogue.md for the form. */
export const GENERIC_SCRIPT = `#script
[start]
say Hello, this is a demonstration assistant. Is this a good time?
again Hello? Are you still there?
tries 0
on key 1 -> confirmed
on key 2 -> times
on anything -> menu
otherwise -> menu

[menu]
say This is a demonstration. It understands keys, and where it can, a few words.
say Press 1 to confirm your appointment, 2 for another time, or 9 to end the call.
again Please answer with a key. Press 1 to confirm your appointment, 2 for another time, or 9 to end the call.
tries 1
otherwise -> enough
on key 1, one, yes, yeah, yep, sure, okay, confirm -> confirmed
on key 2, two, another time, no, nope -> times

[times]
say All right, let us find another time. Press 1 for tomorrow morning, or 2 for tomorrow afternoon.
again Please answer with a key. Press 1 for tomorrow morning, or 2 for tomorrow afternoon.
tries 1
otherwise -> enough
on key 1, one, morning, tomorrow morning -> morning
on key 2, two, afternoon, tomorrow afternoon -> afternoon
on no, nope -> enough

[confirmed]
say Thank you. Your appointment is confirmed. Goodbye.

[morning]
say Thank you. You are booked for tomorrow morning. Goodbye.

[afternoon]
say Thank you. You are booked for tomorrow afternoon. Goodbye.

[enough]
say Thank you for trying this demonstration. Goodbye.

[bye]
say Thank you for your call. Goodbye.

[anywhere]
on key 9, nine, goodbye, bye, hang up -> bye
`;
