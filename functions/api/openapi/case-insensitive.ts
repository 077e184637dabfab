/** Makes the source of a pattern case-insensitive: JSON Schema has no flags. Does not support numeric escapes of letters. */
export function anyCase(source: string): string {
  let inClass = false
  let text = ''
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === '\\') {
      const length = /^\\[pP]\{[^}]*\}/.exec(source.slice(at))?.[0].length ?? 2
      text += source.slice(at, at + length)
      at += length - 1
      continue
    }
    if (char === '[') inClass = true
    if (char === ']') inClass = false
    const range = inClass ? /^[a-z]-[a-z]/i.exec(source.slice(at))?.[0] : undefined
    const letters = toBothCases(range ?? char)
    text += inClass || letters.length === 1 ? letters : `[${letters}]`
    if (range) at += range.length - 1
  }
  return text
}

function toBothCases(part: string): string {
  return part.toLowerCase() === part.toUpperCase() ? part : part.toLowerCase() + part.toUpperCase()
}
