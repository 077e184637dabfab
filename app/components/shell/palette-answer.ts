/** The text of the palette as `/find` looks for it: at most 200 characters, without spaces around it. */
export const toSearchText = (text: string): string => text.trim().slice(0, 200).trim()

/**
 * The answer to a text; undefined while the one at hand is to a former text, whose matches would let Enter open what nobody looks for
 * any more.
 */
export function answerTo<Answer extends { search: string }>(
  text: string,
  last: Answer | undefined,
): Answer | undefined {
  return last?.search === toSearchText(text) ? last : undefined
}
