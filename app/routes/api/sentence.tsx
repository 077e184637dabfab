/** A sentence of the reference; text in backticks is code. */
export function Sentence({ text }: { text: string }) {
  return text.split('`').map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))
}
