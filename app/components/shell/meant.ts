/** Whether all words that are typed are in what something is called or looked for by, whatever their case. */
export function isMeant({ label, words = '' }: { label: string; words?: string }, text: string): boolean {
  const labelText = `${label} ${words}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => labelText.includes(word))
}
