/** Whether a label or its synonyms contain all typed words, ignoring case. */
export function matchesWords(
  { label, words = '' }: { label: string; words?: string },
  text: string,
): boolean {
  const labelText = `${label} ${words}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => labelText.includes(word))
}
