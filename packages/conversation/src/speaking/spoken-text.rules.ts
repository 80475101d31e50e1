/**
 * Converts written text into text for a voice: without markdown, emoji and web addresses. The result is what the caller
 * hears, so it is also the text of the transcript. The text comes from a model, so no expression here takes
 * more than linear time.
 */

/** The exclamation mark before the brackets of an image. */
const IMAGE_MARK = /!(?=\[[^\][]*\]\()/gu;
/** The target of a link or an image, also where the chunker has cut the link in two. */
const LINK_TARGET = /\]\([^)\s]*\)?/gu;
const WEB_ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]]/giu;
const HORIZONTAL_RULE = /^[-*_ \t]{3,}$/gmu;
const LINE_DECORATION = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+|```\w*$)/gmu;
/** Asterisks next to a word; an asterisk on its own is the key of the telephone. */
const OPENING_STARS = /(?<!\*)\*+(?=[\p{L}\p{N}"'(_])/gu;
const CLOSING_STARS = /(?<=[\p{L}\p{N}.,!?:"')_])\*+/gu;
/** Underscores and other marks around words; an underscore within a word stays. */
const OTHER_EMPHASIS = /_{2,}|~~|`+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** Emoji with their joiners, skin tones and flags; digits and signs that have an emoji form stay. */
const EMOJI =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u{FE0E}|\u{FE0F}|\u{200D}|\u{20E3}/gu;
const SPACE_BEFORE_MARK = / (?=[,.;:!?…])/gu;

/**
 * The words of `text` for a synthesiser, on one line; empty if there is nothing to say.
 *
 * @param text - a sentence or clause as a model wrote it
 */
export function spokenText(text: string): string {
  const spoken = text
    .replaceAll(IMAGE_MARK, '')
    .replaceAll(LINK_TARGET, '')
    .replaceAll(WEB_ADDRESS, '')
    .replaceAll(HORIZONTAL_RULE, '')
    .replaceAll(LINE_DECORATION, '')
    .replaceAll(OPENING_STARS, '')
    .replaceAll(CLOSING_STARS, '')
    .replaceAll(OTHER_EMPHASIS, '')
    .replaceAll('|', ' ')
    .replaceAll(/[[\]<>{}\\]/gu, '')
    .replaceAll(/\(\s*\)/gu, '')
    .replaceAll(EMOJI, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(SPACE_BEFORE_MARK, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(spoken) ? spoken : '';
}
